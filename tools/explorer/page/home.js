// Below the first game: three doors into the page, and a gallery. The gallery is drawn when the user scrolls to it.

import { CLASSES, difference, pixels, residue, viridis } from "./colours.js";
import { el } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, PUZZLE } from "./games.js";
import { COURSE } from "./lessons.js";
import { row } from "./piles.js";

/** @typedef {{ words: string, parts: string[], piles?: number[], fails?: boolean, tile?: [string, string, string] }} Picture */

/** The side of a small map. */
const SIDE = 64;

/** A game, its middle and what is shown of it; or piles. A failing claim shows its least counterexample. @type {Picture[]} */
const GALLERY = [
    { words: "The values of a, 4, b in End-Nim", parts: ["table", "end-nim", "4", "256", "values"], tile: ["end-nim", "4", "values"] },
    { words: "How far they are from a ⊕ b", parts: ["table", "end-nim", "4", "256", "differences"], tile: ["end-nim", "4", "differences"] },
    { words: "Two piles of Nim: a ⊕ b", parts: ["table", "nim", "", "256", "values"], tile: ["nim", "", "values"] },
    { words: "Loop-End-Nim, modulo 4", parts: ["table", "loop-end-nim", "3", "256", "mod=4"], tile: ["loop-end-nim", "3", "mod=4"] },
    { words: "Who wins partizan End-Nim", parts: ["table", "partizan-end-nim", "3", "256", "values"], tile: ["partizan-end-nim", "3", "values"] },
    { words: "A family of rows that no automaton can tell apart", parts: ["families", "end-nim", "3* 1 3*"], piles: [3, 1, 3] },
    { words: "Who wins a family of rows, for all lengths", parts: ["families", "partizan-end-nim", "2* 1 2*"], piles: [2, 1, 2] },
    { words: "A period that is no power of two", parts: ["claims", "an.period-pow2"], piles: [5, 4], fails: true },
    { words: "A proposition that fails for one coin", parts: ["claims", "gn.prop19"], piles: [1], fails: true },
    { words: "A theorem with a misprint", parts: ["claims", "lgn.thm27"], piles: [6], fails: true },
    { words: "Chomp: bite a chocolate bar", parts: ["play", "chomp-3", "first"], piles: [4, 3, 2] },
    { words: "Kayles: knock down one pin or two", parts: ["play", "kayles", "first"], piles: [5, 3] },
];

/** Three doors: a name, a sentence, an address, and a picture. @returns {[string, string, string, (Node | string)[]][]} */
const doors = () => [
    ["Play", "Take coins in turn against a perfect opponent. Today's puzzle can be won.", address("play", PUZZLE), [row([2, 4, 3, 5])]],
    ["See why", "Who wins any position, with an answer to every move.", address("position", "end-nim", "2,3,4"), [row([2, 3, 4]), " → ", row([2, 3, 2])]],
    ["Break a theorem", "Published statements fail here. See where, and try your own.", address("claims"), [row([5, 4]), fails()]],
];

/** Marks a failing claim. */
const fails = () => el("span", { class: "badge fails" }, "fails");

/** Adds the doors and the gallery. @param {HTMLElement} main */
export function home(main) {
    const gallery = el("ul", { class: "gallery" }, ...GALLERY.map(({ words, parts, piles, fails: failing, tile }) => el("li", {}, el("a", { href: address(...parts) },
        el("span", { class: "shown", "aria-hidden": "true" }, tile ? el("canvas", { width: SIDE, height: SIDE }) : row(piles ?? []), failing ? fails() : ""),
        words))));
    const whole = el("section", { id: "home", "aria-label": "What else is here" },
        el("ul", { class: "doors" }, ...doors().map(([name, says, href, shown]) => el("li", {}, el("a", { href },
            el("span", { class: "shown", "aria-hidden": "true" }, ...shown), el("strong", {}, name), says)))),
        el("p", {}, "New to such games? ", el("a", { id: "course", href: COURSE }, "A course of five minutes"), " leads from Nim to the theorem on End-Nim."),
        el("h2", {}, "Twelve things to look at"), gallery);
    main.append(whole);
    const seen = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        draw(gallery).catch((error) => {
            // Without the small maps the links still work.
            if (!(error instanceof Cancelled)) gallery.querySelectorAll("canvas").forEach((canvas) => canvas.remove());
        });
    });
    seen.observe(gallery);
}

/** Draws the small maps, one after the other. @param {HTMLElement} gallery */
async function draw(gallery) {
    const engine = new Engine();
    const canvases = [...gallery.querySelectorAll("canvas")];
    for (const { tile } of GALLERY) {
        if (!tile || !gallery.isConnected) continue;
        const [game, middle, how] = tile;
        const { answer, numbers } = await engine.ask({ ask: "tile", game, middle, side: SIDE, differences: how === "differences" });
        const signed = new Int32Array(numbers.buffer);
        const { classes, largest } = answer;
        const context = canvases.shift()?.getContext("2d");
        if (context) {
            pixels(context, SIDE, SIDE, (at) => classes ? CLASSES[classes[numbers[at]]] : how === "differences" ? difference(signed[at], largest) :
                how === "mod=4" ? residue(numbers[at], 4) : viridis(numbers[at], largest));
        }
    }
    engine.end();
}
