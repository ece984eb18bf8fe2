// Colours for numbers, the same as in `grundy plot`.

import { el } from "./dom.js";

/** The colour map viridis at eighths, from small to large (S. van der Walt and N. Smith, public domain). */
const VIRIDIS = [0x440154, 0x472c7a, 0x3b518b, 0x2c718e, 0x21908d, 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725];

/** @param {number} one @param {number} other @param {number} part */
function mix(one, other, part) {
    let rgb = 0;
    for (const shift of [16, 8, 0]) {
        const [a, b] = [one >> shift & 255, other >> shift & 255];
        rgb |= Math.round(a + (b - a) * part) << shift;
    }
    return rgb;
}

/** The colour of a value from 0 to the largest. @param {number} value @param {number} largest */
export function viridis(value, largest) {
    const place = Math.min(Math.max(value / Math.max(largest, 1), 0), 1) * 8;
    const below = Math.min(Math.floor(place), 7);
    return mix(VIRIDIS[below], VIRIDIS[below + 1], place - below);
}

/** The colour of a value by its logarithm. @param {number} value @param {number} largest */
export function logarithmic(value, largest) {
    return viridis(Math.log(value + 1), Math.log(largest + 1));
}

/** The colour of the residue of a number. @param {number} value @param {number} modulus */
export function residue(value, modulus) {
    return viridis(value % modulus, modulus - 1);
}

/** Returns black or white, whichever is easier to read on a colour. @param {number} rgb */
export function contrast(rgb) {
    return (rgb >> 16) * 0.299 + (rgb >> 8 & 255) * 0.587 + (rgb & 255) * 0.114 > 140 ? "#000" : "#fff";
}

/** Returns a function that asks for a picture, which is painted once for all requests before the next frame. @param {() => void} paint */
export function framed(paint) {
    let asked = 0;
    return () => {
        asked ||= requestAnimationFrame(() => {
            asked = 0;
            paint();
        });
    };
}

/** Colours a difference by its logarithm: 0 is white, positive is red, negative is blue. @param {number} value @param {number} largest */
export function difference(value, largest) {
    if (value === 0) return 0xffffff;
    const part = Math.log(Math.abs(value) + 1) / Math.max(Math.log(largest + 1), 1e-9);
    return value > 0 ? mix(0xfdd0c0, 0x820818, part) : mix(0xc6dbf5, 0x081e78, part);
}

/** Returns the colour of a cell, by whether it matches a search. @param {boolean} is */
export function mark(is) {
    return is ? 0xfde725 : 0x2a2440;
}

/** The colours of the classes L, R, N and P, by name. @type {Record<string, number>} */
export const CLASSES = { L: 0x3b73b9, R: 0xc2543c, N: 0x6f6f6f, P: 0xfde725 };

/** Paints a matrix with one pixel for each number. @param {CanvasRenderingContext2D} context @param {number} rows @param {number} cols @param {(at: number) => number} colour */
export function pixels(context, rows, cols, colour) {
    const image = context.createImageData(cols, rows);
    // Whole pixels, of which browsers store the red part first.
    const words = new Uint32Array(image.data.buffer);
    for (let at = 0; at < words.length; at++) {
        const rgb = colour(at);
        words[at] = 0xff000000 | (rgb & 255) << 16 | rgb & 0xff00 | rgb >> 16;
    }
    context.putImageData(image, 0, 0);
}

/**
 * A key for the colours: boxes with names, or a bar with the texts at its two ends and perhaps numbers at parts of it,
 * or only a text.
 * @typedef {{ boxes?: [string, number][], bar?: [string, (part: number) => number, string], ticks?: [number, number][], text?: string }} Key
 */

/** @param {number} rgb */
function css(rgb) {
    return `#${rgb.toString(16).padStart(6, "0")}`;
}

/** Returns the elements of a key. @param {Key} key @returns {(Node | string)[]} */
export function legend({ boxes = [], bar, ticks = [], text }) {
    return [...boxes.map(([name, rgb]) => {
        const box = el("span", { class: "box" });
        box.style.backgroundColor = css(rgb);
        return el("span", {}, box, ` ${name} `);
    }), ...(bar ? [`${bar[0]} `, el("span", { class: "ticked" }, strip(bar[1]), ...ticks.map(([number, part]) => {
        const tick = el("span", { class: "tick" }, String(number));
        tick.style.left = `${100 * part}%`;
        return tick;
    })), ` ${bar[2]}`] : []), text ?? ""];
}

/**
 * Draws a key.
 * @param {CanvasRenderingContext2D} context
 * @param {Key} key
 * @param {number} x
 * @param {number} y the base line
 * @param {number} letters their height
 */
export function paint(context, { boxes = [], bar, text }, x, y, letters) {
    const ink = context.fillStyle;
    /** @param {string} said */
    const write = (said) => {
        context.fillText(said, x, y);
        x += context.measureText(said).width + letters / 2;
    };
    for (const [name, rgb] of boxes) {
        context.fillStyle = css(rgb);
        context.fillRect(x, y - letters * 0.85, letters, letters);
        context.fillStyle = context.strokeStyle = ink;
        context.strokeRect(x, y - letters * 0.85, letters, letters);
        x += letters * 1.4;
        write(name);
    }
    if (bar) {
        write(bar[0]);
        context.drawImage(strip(bar[1]), x, y - letters * 0.85, 10 * letters, letters);
        x += 10.5 * letters;
        write(bar[2]);
    }
    if (text) write(text);
}

/** @param {(part: number) => number} colour of a part from 0 to 1 */
function strip(colour) {
    const canvas = el("canvas", { class: "scale", width: 256, height: 1, "aria-hidden": "true" });
    const context = canvas.getContext("2d");
    for (let x = 0; x < 256 && context; x++) {
        context.fillStyle = css(colour(x / 255));
        context.fillRect(x, 0, 1, 1);
    }
    return canvas;
}
