// Saves pictures with their axes, colour key and caption, and lists of numbers.

import { paint } from "./colours.js";
import { el } from "./dom.js";
import { called } from "./games.js";
import { ticks } from "./ticks.js";

/** Saves a file. @param {Blob} blob @param {string} game the game, whose name begins the name of the file @param {...string} rest */
export function save(blob, game, ...rest) {
    const ending = rest.pop();
    const name = [called(game), ...rest].join("-").replace(/[^\w,{}^-]+/g, "_");
    const link = el("a", { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
    link.click();
    URL.revokeObjectURL(link.href);
}

/**
 * The parts of a view that can be saved: a map or graph, or piles, with a caption; its numbers as lines of text; and the parts of the
 * file's name, of which the first is the game. A picture without axes has its own axes, in the colours of the page.
 * @typedef {{ map?: HTMLCanvasElement, piles?: number[], caption: string[], key?: import("./colours.js").Key,
 *     axes?: { left: number, top: number, seen: number, first?: number }, lines?: () => string[], name: [string, ...string[]] }} Saves
 */

/** Saves numbers. @param {Saves} saves */
export function csv({ lines, name }) {
    save(new Blob([(lines?.() ?? []).join("\n"), "\n"], { type: "text/csv" }), ...name, "csv");
}

/** Saves a picture. @param {Saves} saves */
export function png({ piles, map = coins(piles ?? []), caption, key, axes, name }) {
    const drawn = document.createElement("canvas");
    const letters = Math.max(Math.round(map.width / 45), 10);
    const [before, above] = axes ? [3 * letters, 2 * letters] : [letters, letters];
    drawn.width = before + map.width + letters;
    drawn.height = above + map.height + (caption.length * 1.6 + (key ? 3 : 1)) * letters;
    const context = drawn.getContext("2d");
    if (!context) return;
    const page = getComputedStyle(document.body);
    const [paper, ink] = axes ? ["#fff", "#000"] : [page.backgroundColor, page.color];
    context.fillStyle = paper;
    context.fillRect(0, 0, drawn.width, drawn.height);
    context.drawImage(map, before, above);
    context.fillStyle = ink;
    context.font = `${letters}px system-ui, sans-serif`;
    if (axes) {
        const { left, top, seen, first = 1 } = axes;
        const cell = map.width / seen;
        for (const [from, across] of /** @type {[number, boolean][]} */ ([[left, true], [top, false]])) {
            context.textAlign = across ? "center" : "right";
            for (const n of ticks(from + first - 0.5, from + seen + first - 0.5, 12)) {
                const at = (n - first + 0.5 - from) * cell;
                context.fillText(String(n), before + (across ? at : -letters / 2), across ? 1.5 * letters : above + at + letters / 3);
            }
        }
    }
    context.textAlign = "left";
    let line = above + map.height + 0.4 * letters;
    for (const text of caption) context.fillText(text, letters / 2, line += 1.5 * letters, drawn.width - letters);
    if (key) paint(context, key, letters / 2, line + 1.5 * letters, letters);
    drawn.toBlob((blob) => { if (blob) save(blob, ...name, "png"); });
}

/** The sizes of a drawn coin and the room between two piles, in pixels; a larger pile is a bar with its number. */
const [WIDE, THICK, GAP, MOST_COINS] = [84, 26, 26, 16];

/** Draws piles. @param {number[]} piles */
function coins(piles) {
    const most = Math.max(...piles, 1);
    const rows = Math.min(most, MOST_COINS);
    const drawn = el("canvas", { width: Math.max(piles.length * (WIDE + GAP) + GAP, 600), height: (rows + 3) * THICK });
    const context = drawn.getContext("2d");
    if (!context) return drawn;
    const page = getComputedStyle(document.body);
    const [coin, rim, edge] = ["--coin", "--rim", "--coinedge"].map((name) => page.getPropertyValue(name));
    context.textAlign = "center";
    context.font = "20px system-ui, sans-serif";
    context.strokeStyle = edge;
    context.lineWidth = 2;
    const first = (drawn.width - piles.length * (WIDE + GAP) + GAP) / 2;
    piles.forEach((pile, at) => {
        const left = first + at * (WIDE + GAP);
        const floor = drawn.height - 1.5 * THICK;
        const high = pile > MOST_COINS ? Math.max(rows * pile / most, 2) : 1;
        for (let one = 0; one < (pile > MOST_COINS ? 1 : pile); one++) {
            for (const [colour, lift] of /** @type {[string, number][]} */ ([[rim, 0], [coin, 6]])) {
                context.fillStyle = colour;
                context.beginPath();
                context.roundRect(left, floor - one * THICK - high * THICK - lift, WIDE, high * THICK - 4, 12);
                context.fill();
            }
            context.stroke();
        }
        context.fillStyle = page.color;
        context.fillText(String(pile), left + WIDE / 2, drawn.height - 6);
    });
    return drawn;
}
