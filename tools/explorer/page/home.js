// Below the first game: three doors into the page, and a gallery. The gallery is drawn when the user scrolls to it.

import { CLASSES, difference, pixels, residue, viridis } from "./colours.js";
import { el } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, PUZZLE } from "./games.js";
import { COURSE } from "./lessons.js";
import { row } from "./piles.js";
import { list } from "./view.js";

/** The side of a small map. */
const SIDE = 64;

/** Three doors: a name, a sentence, an address, and a picture. @returns {[string, string, string, (Node | string)[]][]} */
const doors = () => [
    ["Play", "Take coins in turn against a perfect opponent. Today's puzzle can be won.", address("play", PUZZLE), [row([2, 4, 3, 5])]],
    ["See why", "Who wins any position, with an answer to every move.", address("position", "end-nim", "2,3,4"), [row([2, 3, 4]), " → ", row([2, 3, 2])]],
    ["Break a theorem", "Published statements fail here. See where, and try your own.", address("claims"), [row([5, 4]), fails()]],
];

/** Marks a failing claim. */
const fails = () => el("span", { class: "badge fails" }, "fails");

/**
 * Creates a gallery from a list: words, an address, and a picture, which is piles, or a map: a game, its middle and what is shown of it.
 * @param {string} name
 */
export function gallery(name) {
    const shown = el("ul", { class: "gallery" });
    list(name).then((lines) => {
        shown.append(...lines.map(([words, parts, picture, failing]) => el("li", {}, el("a", { href: address(...parts.split("/")) },
            el("span", { class: "shown", "aria-hidden": "true" }, picture.includes("/") ? el("canvas", { width: SIDE, height: SIDE, "data-tile": picture }) :
                row(picture.split(",").map(Number)), failing ? fails() : ""), words))));
        const seen = new IntersectionObserver((entries) => {
            if (!entries.some((entry) => entry.isIntersecting)) return;
            seen.disconnect();
            draw(shown).catch((error) => {
                // Without the small maps the links still work.
                if (!(error instanceof Cancelled)) shown.querySelectorAll("canvas").forEach((canvas) => canvas.remove());
            });
        });
        seen.observe(shown);
    });
    return shown;
}

/** Adds the doors and the gallery. @param {HTMLElement} main */
export function home(main) {
    main.append(el("section", { id: "home", "aria-label": "What else is here" },
        el("ul", { class: "doors" }, ...doors().map(([name, says, href, shown]) => el("li", {}, el("a", { href },
            el("span", { class: "shown", "aria-hidden": "true" }, ...shown), el("strong", {}, name), says)))),
        el("p", {}, "New to such games? ", el("a", { id: "course", href: COURSE }, "A course of five minutes"), " leads from Nim to the theorem on End-Nim."),
        el("h2", {}, "Twelve things to look at"), gallery("gallery")));
}

/** Draws the small maps, one after the other. @param {HTMLElement} shown */
async function draw(shown) {
    const engine = new Engine();
    for (const canvas of shown.querySelectorAll("canvas")) {
        if (!shown.isConnected) break;
        const [game, middle, how] = (canvas.dataset.tile ?? "").split("/");
        const { answer, numbers } = await engine.ask({ ask: "tile", game, middle, side: SIDE, differences: how === "differences" });
        const signed = new Int32Array(numbers.buffer);
        const { classes, largest } = answer;
        const context = canvas.getContext("2d");
        if (context) {
            pixels(context, SIDE, SIDE, (at) => classes ? CLASSES[classes[numbers[at]]] : how === "differences" ? difference(signed[at], largest) :
                how === "mod=4" ? residue(numbers[at], 4) : viridis(numbers[at], largest));
        }
    }
    engine.end();
}
