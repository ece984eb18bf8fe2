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

/** Saves lines of numbers. @param {string[]} lines @param {string} game @param {...string} rest */
export function list(lines, game, ...rest) {
    save(new Blob([lines.join("\n"), "\n"], { type: "text/csv" }), game, ...rest, "csv");
}

/**
 * Saves a picture.
 * @param {HTMLCanvasElement} map
 * @param {{ caption: string[], key?: import("./colours.js").Key, axes?: { left: number, top: number, seen: number, first?: number } }} means
 *     a picture without axes has its own axes, in the colours of the page
 * @param {string} game
 * @param {...string} rest
 */
export function picture(map, { caption, key, axes }, game, ...rest) {
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
        context.textAlign = "center";
        for (const n of ticks(left + first - 0.5, left + seen + first - 0.5, 12)) {
            context.fillText(String(n), before + (n - first + 0.5 - left) * cell, 1.5 * letters);
        }
        context.textAlign = "right";
        for (const n of ticks(top + first - 0.5, top + seen + first - 0.5, 12)) {
            context.fillText(String(n), before - letters / 2, above + (n - first + 0.5 - top) * cell + letters / 3);
        }
    }
    context.textAlign = "left";
    let line = above + map.height + 0.4 * letters;
    for (const text of caption) context.fillText(text, letters / 2, line += 1.5 * letters, drawn.width - letters);
    if (key) paint(context, key, letters / 2, line + 1.5 * letters, letters);
    drawn.toBlob((blob) => { if (blob) save(blob, game, ...rest, "png"); });
}

/** Creates the buttons that save a picture and its numbers. @param {() => void} png @param {() => void} csv */
export function saving(png, csv) {
    return el("div", { class: "bar", role: "group", "aria-label": "Save" },
        el("button", { type: "button", id: "png", onclick: png }, "PNG"),
        el("button", { type: "button", id: "csv", onclick: csv }, "CSV"));
}
