// A heat map of a matrix of numbers, with axes, zoom, pan and a selected cell.

import { contrast, framed, pixels } from "./colours.js";
import { el, say } from "./dom.js";
import { ticks } from "./ticks.js";

/** Minimum size of a cell that shows its number, and minimum distance of labels on an axis, in CSS pixels. */
const CELL = 19;
const LABEL = 34;

/** The least side of the frame around the selected cell if the map has the keyboard focus, in CSS pixels. */
const FRAME = 9;

/**
 * @typedef {{ rows: number, cols: number, colour: (at: number) => number, text?: (at: number) => string }} Matrix
 *     the colour of a cell, as 0xRRGGBB, and its text where there is room
 * @typedef {{ point: (row: number, col: number) => string, open?: (row: number, col: number) => void,
 *     pin?: (row: number, col: number) => void, seen?: () => void, label: string, axes?: [string, string], first?: number, over?: (context: CanvasRenderingContext2D, to: (col: number, row: number) =>
 *     [number, number]) => void }} Means
 */

export class Heat {
    /** @type {Matrix | null} */
    #matrix = null;
    #image = document.createElement("canvas");
    /** The number of visible cells along the longer side, and the cell at the corner. */
    #seen = 1;
    #left = 0;
    #top = 0;
    #row = 0;
    #col = 0;
    /** True if a cell was selected. */
    #pointed = false;
    /** @type {[number, number] | null} */
    #dragged = null;
    #moved = false;
    /** True if the pressed cell was already pinned. */
    #again = false;
    /** The pinned cell. @type {[number, number] | null} */
    #pinned = null;
    /** The axes: column numbers above the map, row numbers to its left. */
    #above = el("canvas", { class: "axis above", width: 1, height: 1, "aria-hidden": "true", ontransitionend: () => this.draw() });
    #beside = el("canvas", { class: "axis left", width: 1, height: 1, "aria-hidden": "true" });
    /** The last event of each finger, by pointer. @type {Map<number, PointerEvent>} */
    #fingers = new Map();

    /** @param {Means} means */
    constructor(means) {
        this.means = means;
        this.#image.width = 1;
        this.canvas = el("canvas", {
            class: "heat", width: 512, height: 512, tabindex: 0, role: "application",
            "aria-roledescription": "heat map", "aria-label": means.label,
            onwheel: (/** @type {WheelEvent} */ event) => {
                event.preventDefault();
                const [col, row] = this.#cell(event);
                this.zoom(Math.exp(event.deltaY / 400), col, row);
            },
            onpointerdown: (/** @type {PointerEvent} */ event) => {
                this.canvas.setPointerCapture(event.pointerId);
                this.#fingers.set(event.pointerId, event);
                if (this.#fingers.size > 1) {
                    // A gesture of two fingers zooms, and opens no cell.
                    this.#dragged = null;
                    return;
                }
                this.#dragged = this.#cell(event);
                this.#moved = false;
                // The first click on a cell pins it; the second click opens it.
                const [col, row] = this.#dragged.map(Math.floor);
                this.#again = this.#pinned !== null && row === this.#pinned[0] && col === this.#pinned[1];
                this.point(row, col);
            },
            onpointermove: (/** @type {PointerEvent} */ event) => this.#move(event),
            onpointerup: (/** @type {PointerEvent} */ event) => {
                if (this.#dragged && !this.#moved) {
                    if (this.#again) this.open();
                    else this.pin();
                } else if (this.#dragged) this.means.seen?.();
                this.#lift(event);
            },
            onpointercancel: (/** @type {PointerEvent} */ event) => this.#lift(event),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
            // Select a cell on focus, so that the first arrow key moves from a visible selection.
            onfocus: () => this.#pointed ? this.draw() : say(this.#first()),
            onblur: () => this.draw(),
            // One finger scrolls the page, and two move and zoom the map.
            ontouchmove: (/** @type {TouchEvent} */ event) => {
                if (event.touches.length > 1) event.preventDefault();
            },
        });
        this.whole = el("div", { class: means.axes ? "map" : "" },
            ...(means.axes ? [el("span", { class: "corner", "aria-hidden": "true" }, means.axes.join(" ╲ ")), this.#above, this.#beside] : []),
            this.canvas);
        const resized = new ResizeObserver(() => this.#fit());
        for (const canvas of [this.canvas, this.#above, this.#beside]) resized.observe(canvas);
    }

    /** Shows a matrix, and keeps the visible part. @param {Matrix} matrix */
    show(matrix) {
        this.#matrix = matrix;
        const { rows, cols, colour } = matrix;
        const whole = this.#seen >= Math.max(this.#image.width, this.#image.height) || this.#image.width === 1;
        this.#image.width = cols;
        this.#image.height = rows;
        const context = this.#image.getContext("2d");
        if (!context) return;
        pixels(context, rows, cols, colour);
        if (whole) this.reset();
        else this.zoom(1);
        if (this.#pointed) this.point(this.#row, this.#col);
        else if (document.activeElement === this.canvas) this.#first();
    }

    /** Selects the cell at the corner of the visible part. */
    #first() {
        return this.point(Math.round(this.#top), Math.round(this.#left));
    }

    /** Removes the matrix. */
    clear() {
        this.#matrix = null;
        this.#image.width = 1;
        this.#pointed = false;
        this.#pinned = null;
        this.#row = 0;
        this.#col = 0;
        for (const axis of [this.#above, this.#beside]) axis.getContext("2d")?.clearRect(0, 0, axis.width, axis.height);
        this.canvas.getContext("2d")?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }

    reset() {
        const { rows, cols } = this.#matrix ?? { rows: 1, cols: 1 };
        this.#seen = Math.max(rows, cols);
        this.#left = 0;
        this.#top = 0;
        this.#within();
        this.means.seen?.();
        this.draw();
    }

    /** Zooms around a cell. @param {number} by @param {number} [col] @param {number} [row] */
    zoom(by, col = this.#pinned ? this.#pinned[1] + 0.5 : this.#left + this.#seen / 2, row = this.#pinned ? this.#pinned[0] + 0.5 : this.#top + this.#seen / 2) {
        if (!this.#matrix) return;
        const most = Math.max(this.#matrix.rows, this.#matrix.cols);
        const seen = Math.min(Math.max(this.#seen * by, 8), most);
        this.#left = col - (col - this.#left) * seen / this.#seen;
        this.#top = row - (row - this.#top) * seen / this.#seen;
        this.#seen = seen;
        this.#within();
        this.means.seen?.();
        this.draw();
    }

    /** The visible part: its corner, and the number of cells along its longer side. */
    get seen() {
        return { left: this.#left, top: this.#top, seen: this.#seen };
    }

    /** Returns a picture of the visible part, in which each cell has at least one pixel. */
    picture() {
        const side = Math.ceil(this.#seen);
        if (side <= this.canvas.width) return this.canvas;
        const drawn = el("canvas", { width: side, height: side });
        drawn.getContext("2d")?.drawImage(this.#image, -Math.round(this.#left), -Math.round(this.#top));
        return drawn;
    }

    /** Shows a part of the matrix. @param {number} left @param {number} top @param {number} seen */
    look(left, top, seen) {
        [this.#left, this.#top, this.#seen] = [left, top, seen];
        this.zoom(1);
    }

    /** Pins the selected cell. */
    pin() {
        this.#pinned = [this.#row, this.#col];
        this.means.pin?.(this.#row, this.#col);
    }

    /** Keeps the visible part inside the matrix. */
    #within() {
        const { rows, cols } = this.#matrix ?? { rows: 1, cols: 1 };
        this.#left = Math.min(Math.max(this.#left, 0), Math.max(cols - this.#seen, 0));
        this.#top = Math.min(Math.max(this.#top, 0), Math.max(rows - this.#seen, 0));
        // Tests and scripts read the visible part from this attribute.
        this.canvas.dataset.seen = [this.#left, this.#top, this.#seen].map((part) => part.toFixed(2)).join(" ");
    }

    draw = framed(() => this.#paint());

    #paint() {
        const context = this.canvas.getContext("2d");
        if (!context || !this.#matrix) return;
        const { rows, cols } = this.#matrix;
        this.#within();
        const cell = this.canvas.width / this.#seen;
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.imageSmoothingEnabled = cell < 1;
        context.drawImage(this.#image, -this.#left * cell, -this.#top * cell, cols * cell, rows * cell);
        /** @type {(col: number, row: number) => [number, number]} */
        const to = (col, row) => [(col - this.#left) * cell, (row - this.#top) * cell];
        this.#write(context, cell);
        this.#axes(cell);
        this.means.over?.(context, to);
        const isSeen = (/** @type {number} */ at, /** @type {number} */ from) => at + 1 > from && at < from + this.#seen;
        if (!this.#pointed || !isSeen(this.#col, this.#left) || !isSeen(this.#row, this.#top)) return;
        const side = Math.max(cell, document.activeElement === this.canvas ? FRAME * this.#ratio : 3);
        // Keep the frame of the selected cell inside the canvas.
        const [x, y] = to(this.#col, this.#row).map((at) => Math.min(Math.max(at + (cell - side) / 2, 2), this.canvas.width - side - 2));
        for (const [style, out] of /** @type {[string, number][]} */ ([["#000", 2], ["#fff", 1]])) {
            context.strokeStyle = style;
            context.lineWidth = 1;
            context.strokeRect(x - out + 0.5, y - out + 0.5, side + 2 * out - 1, side + 2 * out - 1);
        }
    }

    /** The number of canvas pixels for a CSS pixel. */
    get #ratio() {
        return this.canvas.width / (this.canvas.clientWidth || this.canvas.width);
    }

    /** Writes the numbers into the cells, if these are large enough. @param {CanvasRenderingContext2D} context @param {number} cell */
    #write(context, cell) {
        const { rows, cols, colour, text } = this.#matrix ?? { rows: 0, cols: 0, colour: () => 0 };
        if (!text || cell < CELL * this.#ratio) return;
        context.font = `${Math.min(cell * 0.45, 18 * this.#ratio)}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        for (let row = Math.floor(this.#top); row < Math.min(this.#top + this.#seen, rows); row++) {
            for (let col = Math.floor(this.#left); col < Math.min(this.#left + this.#seen, cols); col++) {
                const at = row * cols + col;
                context.fillStyle = contrast(colour(at));
                context.fillText(text(at), (col + 0.5 - this.#left) * cell, (row + 0.5 - this.#top) * cell, cell);
            }
        }
    }

    /** Draws the axes; cells count from 1, or from `means.first`. @param {number} cell */
    #axes(cell) {
        if (!this.means.axes) return;
        const { first = 1 } = this.means;
        const ratio = this.#ratio;
        for (const [axis, from, across] of /** @type {[HTMLCanvasElement, number, boolean][]} */ (
            [[this.#above, this.#left, true], [this.#beside, this.#top, false]])) {
            axis.width = Math.round(axis.clientWidth * ratio);
            axis.height = Math.round(axis.clientHeight * ratio);
            const context = axis.getContext("2d");
            if (!context) continue;
            context.font = `${12 * ratio}px system-ui, sans-serif`;
            context.fillStyle = getComputedStyle(axis).color;
            context.textBaseline = "middle";
            context.textAlign = across ? "center" : "right";
            for (const n of ticks(from + first - 0.5, from + this.#seen + first - 0.5, this.canvas.clientWidth / LABEL)) {
                if (n < first) continue;
                const at = (n - first + 0.5 - from) * cell;
                const half = across ? context.measureText(String(n)).width / 2 : 7 * ratio;
                const inside = Math.min(Math.max(at, half), (across ? axis.width : axis.height) - half);
                if (across) context.fillText(String(n), inside, axis.height / 2);
                else context.fillText(String(n), axis.width - 4 * ratio, inside);
            }
        }
    }

    #fit() {
        const side = Math.round(this.canvas.clientWidth * Math.min(window.devicePixelRatio, 2));
        if (side === 0) return;
        if (side !== this.canvas.width) this.canvas.width = this.canvas.height = side;
        this.draw();
    }

    /** @param {MouseEvent} event @returns {[number, number]} */
    #cell(event) {
        const box = this.canvas.getBoundingClientRect();
        return [this.#left + (event.clientX - box.left) / box.width * this.#seen,
            this.#top + (event.clientY - box.top) / box.height * this.#seen];
    }

    /** Removes a pointer. If another finger is down, it continues the drag. @param {PointerEvent} event */
    #lift(event) {
        this.#fingers.delete(event.pointerId);
        const [left] = this.#fingers.values();
        this.#dragged = left ? this.#cell(left) : null;
        this.#moved = true;
    }

    /** Zooms with two fingers. The cell between them keeps its place. @param {PointerEvent} event */
    #pinch(event) {
        const between = () => {
            const [one, other] = [...this.#fingers.values()].map((finger) => this.#cell(finger));
            return { col: (one[0] + other[0]) / 2, row: (one[1] + other[1]) / 2,
                apart: Math.max(Math.hypot(one[0] - other[0], one[1] - other[1]), 1e-6) };
        };
        const before = between();
        this.#fingers.set(event.pointerId, event);
        const after = between();
        this.#left += before.col - after.col;
        this.#top += before.row - after.row;
        this.zoom(before.apart / after.apart, before.col, before.row);
    }

    /** @param {PointerEvent} event */
    #move(event) {
        if (this.#fingers.has(event.pointerId)) {
            if (this.#fingers.size === 2) {
                this.#pinch(event);
                return;
            }
            this.#fingers.set(event.pointerId, event);
        }
        const [col, row] = this.#cell(event);
        if (this.#dragged) {
            const [x, y] = [this.#dragged[0] - col, this.#dragged[1] - row];
            if (event.pointerType === "touch") {
                this.#moved ||= Math.hypot(x, y) * this.canvas.clientWidth / this.#seen > 4;
                return;
            }
            if (this.#moved || Math.hypot(x, y) * this.canvas.clientWidth / this.#seen > 4) {
                this.#moved = true;
                this.#left += x;
                this.#top += y;
                this.draw();
            }
            return;
        }
        this.point(Math.floor(row), Math.floor(col));
    }

    /** Selects a cell, and returns the text about it. @param {number} row @param {number} col */
    point(row, col) {
        if (!this.#matrix) return "";
        this.#row = Math.min(Math.max(row, 0), this.#matrix.rows - 1);
        this.#col = Math.min(Math.max(col, 0), this.#matrix.cols - 1);
        this.#pointed = true;
        this.draw();
        return this.means.point(this.#row, this.#col);
    }

    /** Opens the selected cell, and notes it in the browser's history, so that Back returns to it. */
    open() {
        if (!this.#matrix || !this.means.open) return;
        history.replaceState({ ...history.state, cell: [this.#row, this.#col] }, "");
        this.means.open(this.#row, this.#col);
    }

    /** Selects the cell that was opened before the browser's Back, and focuses the map. Returns true if there is one. */
    resume() {
        const { cell, ...rest } = history.state ?? {};
        if (!cell) return false;
        history.replaceState(rest, "");
        say(this.point(cell[0], cell[1]));
        if (document.activeElement?.matches("body, main")) this.canvas.focus();
        return true;
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const far = event.shiftKey ? 10 : 1;
        /** @type {Record<string, [number, number]>} */
        const steps = { ArrowUp: [-far, 0], ArrowDown: [far, 0], ArrowLeft: [0, -far], ArrowRight: [0, far] };
        const step = steps[event.key];
        if (step) {
            say(this.point(this.#row + step[0], this.#col + step[1]));
            // Keep the selected cell visible.
            this.#left = Math.min(Math.max(this.#left, this.#col - this.#seen + 1), this.#col);
            this.#top = Math.min(Math.max(this.#top, this.#row - this.#seen + 1), this.#row);
            this.means.seen?.();
        } else if (event.key === "Enter") this.open();
        else if (event.key === " ") this.pin();
        else if (event.key === "+" || event.key === "=") this.zoom(0.7, this.#col, this.#row);
        else if (event.key === "-") this.zoom(1 / 0.7, this.#col, this.#row);
        else if (event.key === "0") this.reset();
        else return;
        event.preventDefault();
    }
}

/** Creates buttons for users without a wheel. @param {{ zoom: (by: number) => void, reset: () => void }} picture */
export function zooming(picture) {
    return el("div", { class: "bar", role: "group", "aria-label": "Zoom" },
        el("button", { type: "button", id: "nearer", onclick: () => picture.zoom(0.5) }, "Zoom in"),
        el("button", { type: "button", id: "farther", onclick: () => picture.zoom(2) }, "Zoom out"),
        el("button", { type: "button", id: "whole", onclick: () => picture.reset() }, "All"), el("span", { class: "note touched" }, "Two fingers move and zoom a map."));
}
