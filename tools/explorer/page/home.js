// Below the first game: three doors into the page, and a gallery. The gallery is drawn when the user scrolls to it.

import { CLASSES, difference, pixels, residue, viridis } from "./colours.js";
import { el } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address } from "./games.js";
import { COURSE } from "./lessons.js";
import { row } from "./piles.js";
import { list } from "./view.js";

/** The side of a small map. */
const SIDE = 64;

/**
 * Creates a gallery from a list: words, an address, and a picture, which is piles, or a map: a game, its middle and what is shown of it.
 * Before the words there may be a title.
 * @param {string} name
 * @param {string} [look] a class
 */
export function gallery(name, look = "gallery") {
    const shown = el("ul", { class: look });
    list(name).then((lines) => {
        shown.append(...lines.map(([words, parts, picture, failing, title]) => el("li", {}, el("a", { href: address(...parts.split("/")) },
            el("span", { class: "shown", "aria-hidden": "true" }, picture.includes("/") ? el("canvas", { width: SIDE, height: SIDE, "data-tile": picture }) :
                row(picture.split(",").map(Number)), failing ? el("span", { class: "badge fails" }, "fails") : ""), title && el("strong", {}, title), words))));
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
        gallery("doors", "doors"),
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
