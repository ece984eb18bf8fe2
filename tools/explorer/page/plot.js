// A graph of numbers against 1, 2, 3, ..., with zoom, pan and a selected number.

import { framed } from "./colours.js";
import { el, say } from "./dom.js";
import { ticks } from "./ticks.js";

/** @typedef {{ point: (n: number) => string, label: string, marks?: () => number[], names?: () => string[] | null,
 *     slope?: number }} Means */

/** The height of letters on the axes, in pixels of the screen. */
const LETTERS = 13;

export class Plot {
    /** @type {Uint32Array} */
    numbers = new Uint32Array();
    /** The visible range of n. */
    #from = 0;
    #to = 1;
    #at = 1;
    /** A picture without the selected number. It is kept as long as the visible range does not change. */
    #layer = document.createElement("canvas");
    #stale = true;
    /** @type {number | null} */
    #dragged = null;
    /** The largest number, the sizes of the axes, and the number of canvas pixels for a CSS pixel. */
    #most = 1;
    #before = 0;
    #below = 0;
    #scale = 1;

    /** @param {Means} means */
    constructor(means) {
        this.means = means;
        this.canvas = el("canvas", {
            class: "plot", width: 900, height: 420, tabindex: 0, role: "application",
            "aria-roledescription": "graph", "aria-label": means.label,
            // The theme has changed.
            ontransitionend: () => this.draw(),
            onwheel: (/** @type {WheelEvent} */ event) => {
                event.preventDefault();
                this.zoom(Math.exp(event.deltaY / 400), this.#n(event));
            },
            onpointerdown: (/** @type {PointerEvent} */ event) => {
                this.canvas.setPointerCapture(event.pointerId);
                this.#dragged = this.#n(event);
                this.point(Math.round(this.#dragged));
            },
            onpointerup: () => { this.#dragged = null; },
            onpointercancel: () => { this.#dragged = null; },
            onpointermove: (/** @type {PointerEvent} */ event) => {
                const n = this.#n(event);
                if (this.#dragged === null) {
                    this.point(Math.round(n));
                    return;
                }
                this.#shift(this.#dragged - n);
            },
            onfocus: () => say(this.point(this.#at < this.#from || this.#at > this.#to ? Math.ceil(this.#from) : this.#at)),
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
                const far = event.shiftKey ? Math.max(Math.round((this.#to - this.#from) / 20), 1) : 1;
                if (event.key === "ArrowLeft") say(this.point(this.#at - far));
                else if (event.key === "ArrowRight") say(this.point(this.#at + far));
                else if (event.key === "+" || event.key === "=") this.zoom(0.6, this.#at);
                else if (event.key === "-") this.zoom(1 / 0.6, this.#at);
                else if (event.key === "0") this.reset();
                else return;
                event.preventDefault();
            },
        });
        new ResizeObserver(() => {
            const width = Math.round(this.canvas.clientWidth * Math.min(window.devicePixelRatio, 2));
            if (width === 0 || width === this.canvas.width) return;
            this.canvas.width = width;
            this.canvas.height = Math.round(width * 0.47);
            this.draw();
        }).observe(this.canvas);
    }

    /** The picture without the selected number. */
    get picture() {
        return this.#layer;
    }

    /** Removes the numbers. */
    clear() {
        this.numbers = new Uint32Array();
        this.canvas.getContext("2d")?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }

    /** @param {Uint32Array} numbers */
    show(numbers) {
        this.numbers = numbers;
        this.#most = numbers.reduce((most, number) => Math.max(most, number), 1);
        this.reset();
    }

    reset() {
        this.#from = 0.5;
        this.#to = this.numbers.length + 0.5;
        this.draw();
    }

    /** @param {number} by @param {number} [around] */
    zoom(by, around = (this.#from + this.#to) / 2) {
        const span = Math.max((this.#to - this.#from) * by, Math.min(8, this.numbers.length));
        const from = around - (around - this.#from) * span / (this.#to - this.#from);
        this.#from = from;
        this.#to = from + span;
        this.#shift(0);
    }

    /** @param {number} by */
    #shift(by) {
        const span = Math.min(this.#to - this.#from, this.numbers.length);
        this.#from = Math.min(Math.max(this.#from + by, 0.5), this.numbers.length + 0.5 - span);
        this.#to = this.#from + span;
        this.draw();
    }

    /** Selects a number, and returns the text about it. @param {number} n */
    point(n) {
        if (this.numbers.length === 0) return "";
        this.#at = Math.min(Math.max(n, 1), this.numbers.length);
        if (this.#at < this.#from || this.#at > this.#to) this.#shift(this.#at - (this.#from + this.#to) / 2);
        this.draw(false);
        return this.means.point(this.#at);
    }

    /** @param {MouseEvent} event */
    #n(event) {
        const box = this.canvas.getBoundingClientRect();
        const scale = this.canvas.width / box.width;
        const x = (event.clientX - box.left) * scale - this.#before;
        return this.#from + x / (this.canvas.width - this.#before) * (this.#to - this.#from);
    }

    /** @param {boolean} [stale] true if more than the selected number has changed */
    draw(stale = true) {
        this.#stale ||= stale;
        this.#ask();
    }

    #ask = framed(() => this.#paint());

    #largest = 1;

    #paint() {
        const context = this.canvas.getContext("2d");
        const { numbers } = this;
        if (!context || numbers.length === 0) return;
        if (this.#stale) {
            this.#stale = false;
            this.#layer.width = this.canvas.width;
            this.#layer.height = this.canvas.height;
            const layer = this.#layer.getContext("2d");
            if (layer) this.#paintAll(layer);
        }
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.drawImage(this.#layer, 0, 0);
        if (this.#at < this.#from || this.#at > this.#to) return;
        const [width, height] = [this.canvas.width - this.#before, this.canvas.height - this.#below];
        const x = this.#before + (this.#at - this.#from) / (this.#to - this.#from) * width;
        const y = this.#y(numbers[this.#at - 1], height);
        context.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--accent");
        context.lineWidth = 2;
        context.strokeRect(x - 5, y - 5, 10, 10);
    }

    /** @param {number} value @param {number} height of the part above the axis */
    #y(value, height) {
        return height - 6 * this.#scale - value / this.#largest * (height - 16 * this.#scale);
    }

    /** @param {CanvasRenderingContext2D} context */
    #paintAll(context) {
        const { numbers } = this;
        const style = getComputedStyle(this.canvas);
        const [ink, faint, accent] = [style.color, style.getPropertyValue("--faint"), style.getPropertyValue("--accent")];
        this.#scale = this.canvas.width / (this.canvas.clientWidth || this.canvas.width);
        const scale = this.#scale;
        context.font = `${LETTERS * scale}px system-ui, sans-serif`;
        this.#before = context.measureText(this.#most.toLocaleString("en-US")).width + 14 * scale;
        this.#below = 28 * scale;
        const [width, height] = [this.canvas.width - this.#before, this.canvas.height - this.#below];
        const [first, last] = [Math.max(Math.ceil(this.#from), 1), Math.min(Math.floor(this.#to), numbers.length)];
        let largest = 1;
        for (let n = first; n <= last; n++) largest = Math.max(largest, numbers[n - 1]);
        this.#largest = largest;
        /** @param {number} n */
        const x = (n) => this.#before + (n - this.#from) / (this.#to - this.#from) * width;
        /** @param {number} value */
        const y = (value) => this.#y(value, height);
        context.fillStyle = ink;
        context.strokeStyle = faint;
        context.lineWidth = 1;
        const names = this.means.names?.();
        for (const value of names ? names.keys() : ticks(0, largest)) {
            if (value > largest) break;
            context.strokeRect(this.#before, Math.round(y(value)) + 0.5, width, 0);
            context.textAlign = "right";
            context.fillText(names ? names[value] : value.toLocaleString("en-US"), this.#before - 6 * scale, y(value) + 4 * scale);
        }
        for (const n of ticks(this.#from, this.#to, Math.min(6, width / scale / 80))) {
            context.textAlign = "center";
            const text = n.toLocaleString("en-US");
            // If a label is near the edge, keep it inside the picture.
            const half = context.measureText(text).width / 2 + 2 * scale;
            const at = Math.min(Math.max(x(n), half), this.canvas.width - half);
            context.fillText(text, at, this.canvas.height - 8 * scale);
        }
        context.strokeStyle = accent;
        const marks = this.means.marks?.() ?? [];
        // Lines that are too close together would hide the numbers.
        const apart = marks.length > 1 ? x(marks[1]) - x(marks[0]) : width;
        for (const n of apart < 8 * scale ? [] : marks) {
            if (n < this.#from || n > this.#to) continue;
            context.strokeRect(Math.round(x(n)) + 0.5, 0, 0, height);
        }
        if (this.means.slope) {
            context.beginPath();
            context.moveTo(x(first), y(first * this.means.slope));
            context.lineTo(x(last), y(last * this.means.slope));
            context.stroke();
        }
        context.fillStyle = ink;
        const size = Math.min(Math.max(width / (this.#to - this.#from) / 2, 1.5), 6);
        // If there are many numbers, most of their points fall on pixels that are already drawn.
        const drawn = new Uint8Array(this.canvas.width * this.canvas.height);
        for (let n = first; n <= last; n++) {
            const [left, top] = [x(n), y(numbers[n - 1])];
            const pixel = Math.round(top) * this.canvas.width + Math.round(left);
            if (drawn[pixel]) continue;
            drawn[pixel] = 1;
            context.fillRect(left - size / 2, top - size / 2, size, size);
        }
    }
}
