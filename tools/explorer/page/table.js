// The tile of a middle w: the values of all a·w·b as a heat map.

import { bar, CLASSES, difference, mark, viridis } from "./colours.js";
import { fill, only, reads, whole, wrong } from "./asked.js";
import { choice, el, grouped, labelled, problem, say } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, game as named, most, names } from "./games.js";
import { Heat, zooming } from "./heat.js";

/** The page shows a small tile at once, and then replaces it by larger ones. */
const SIDES = [64, 256, 1024];

/** An upper bound of the values of a table. */
const MOST_VALUE = 999_999;

/** @type {import("./main.js").View} */
export function table(main, parts) {
    const view = new TableView(main);
    view.show(parts);
    return { end: () => view.leave(), move: (parts) => view.show(parts) };
}

class TableView {
    engine = new Engine();
    rows = new Engine();
    /** @type {Int32Array | Uint32Array} */
    numbers = new Uint32Array();
    side = 0;
    /** True if they are differences. */
    differ = false;
    largest = 1;
    /** @type {string[] | null} */
    classes = null;
    game = "end-nim";
    middle = "";
    wanted = 256;
    how = "values";
    chosen = 0;
    /** The row whose period is drawn, and the period. */
    row = 0;
    /** @type {{ preperiod: number, period: number, saltus: number, proved: boolean } | null} */
    period = null;
    #timer = 0;
    /** @type {Map<string, number>} seconds of each side */
    seconds = new Map();
    /** The identity of the numbers, and the text about them. */
    have = "";
    summary = "";

    /** @param {HTMLElement} main */
    constructor(main) {
        this.select = choice(names(), this.game, () => this.go(), "game");
        this.word = el("input", { id: "middle", type: "text", maxlength: 400, spellcheck: "false" });
        this.size = choice(SIDES.map((side) => [String(side), `${side} × ${side}`]), "256",
            () => this.go(), "side");
        this.shown = choice([["values", "values"], ["lost", "P-positions"], ["differences", "value − (a xor b)"],
            ["value", "one value"]], "values", () => this.go(), "how");
        this.one = el("input", { id: "chosen", type: "number", min: 0, max: MOST_VALUE, value: 0,
            onchange: () => this.go() });
        this.oneField = labelled("Value", this.one);
        this.stop = el("button", { type: "button", id: "stop", onclick: () => {
            this.end();
            // The picture agrees with the fields.
            if (this.have && this.have !== this.wants()) this.wipe();
            this.status.textContent = "Stopped.";
            this.stop.disabled = true;
        } }, "Stop");
        this.heat = new Heat({
            label: "Heat map of the tile. Arrow keys move, plus and minus zoom, Enter opens the position.",
            point: (row, col) => this.point(row, col),
            open: (row, col) => { location.hash = address("position", this.game, this.position(row, col)); },
            over: (context, to, cell) => this.over(context, to, cell),
        });
        this.status = el("p", { id: "status", class: "note" });
        this.cell = el("p", { id: "cell" }, "Point at a cell.");
        this.found = el("p", { id: "period" });
        this.scale = el("div", { class: "legend", id: "legend" });
        this.trouble = el("div");
        main.append(el("h2", {}, "A table"),
            el("p", { class: "note" }, "All positions a·w·b of a middle w: rows are a, columns b."),
            el("form", { class: "bar", onsubmit: (/** @type {Event} */ event) => {
                event.preventDefault();
                this.go();
            } }, labelled("Game", this.select), labelled("Middle w", this.word), labelled("Size", this.size),
            labelled("Show", this.shown), this.oneField, el("button", { id: "go" }, "Show"), this.stop),
            this.trouble, this.status,
            el("div", { class: "picture" }, this.heat.canvas,
                el("div", { class: "beside" }, this.cell, this.found, this.scale, zooming(this.heat))));
    }

    end() {
        this.engine.cancel();
        this.rows.cancel();
        clearTimeout(this.#timer);
    }

    leave() {
        this.end();
        this.engine.end();
        this.rows.end();
    }

    go() {
        const how = this.shown.value === "value" ? `value=${this.one.value}` : this.shown.value;
        location.hash = address("table", this.select.value, this.word.value.trim(), this.size.value, how);
    }

    /** @param {string[]} parts */
    show(parts) {
        const [game = "end-nim", middle = "", side = "256", how = "values"] = parts;
        this.end();
        const isSame = game === this.game && middle === this.middle && side === String(this.wanted);
        this.game = game;
        this.middle = middle;
        const value = /^value=(.*)$/.exec(how);
        this.select.value = game;
        this.word.value = middle;
        fill(this.one, value ? value[1] : "0");
        const fine = reads(this.trouble, () => {
            only(parts, ["a game", "a middle", "a size", "what is shown"]);
            this.wanted = whole(side, "the size", 1, most().side);
            if (!value && !["values", "lost", "differences"].includes(how)) {
                throw wrong(how, "what is shown", "there stands values, lost, differences or one value, as in value=5");
            }
            this.how = value ? "value" : how;
            this.chosen = value ? whole(value[1], "the value that is shown", 0, MOST_VALUE) : 0;
        });
        if (!fine) {
            this.wipe();
            return true;
        }
        if (![...this.size.options].some((option) => option.value === side)) {
            this.size.append(el("option", { value: side }, `${side} × ${side}`));
        }
        this.size.value = side;
        this.shown.value = this.how;
        this.oneField.hidden = this.how !== "value";
        // Another view of the same table shows the same part of it.
        if (isSame && this.have === this.wants()) {
            this.paint();
            this.status.textContent = this.summary;
            this.stop.disabled = true;
        } else {
            if (!isSame || this.have === "") this.wipe();
            this.load();
        }
        return true;
    }

    /** Returns the identity of the wanted numbers. */
    wants() {
        return [this.game, this.middle, this.wanted, this.how === "differences"].join("/");
    }

    /** Removes the picture of another table. */
    wipe() {
        this.have = "";
        this.summary = "";
        this.period = null;
        this.row = 0;
        this.found.textContent = "";
        this.status.textContent = "";
        this.cell.textContent = "Point at a cell.";
        this.scale.replaceChildren();
        this.heat.clear();
        this.stop.disabled = true;
    }

    async load() {
        this.stop.disabled = false;
        this.seconds.clear();
        const { wanted, how } = this;
        const wants = this.wants();
        // If the table is visible, its other numbers appear at once.
        const sides = this.have ? [wanted] : [...SIDES.filter((side) => side < wanted), wanted];
        try {
            for (const side of sides) {
                this.status.textContent = `Computing ${side} × ${side}…`;
                const { answer, numbers, seconds } = await this.engine.ask({
                    ask: "tile", game: this.game, middle: this.middle, side,
                    differences: how === "differences",
                });
                this.seconds.set(String(side), seconds);
                this.side = side;
                this.differ = answer.differences;
                this.numbers = answer.differences ? new Int32Array(numbers.buffer) : numbers;
                this.largest = answer.largest;
                this.classes = answer.classes;
                this.paint();
                const times = [...this.seconds].map(([side, s]) => `${side}: ${(s * 1000).toFixed(1)} ms`);
                this.summary = `${side} × ${side}: ${grouped(answer.lost)} P-positions, ` +
                    `largest ${answer.differences ? "difference" : "value"} ${answer.largest}. ` +
                    `Computed (${times.join("; ")}).`;
                this.status.textContent = this.summary;
            }
            this.have = wants;
            say(this.status.textContent ?? "");
        } catch (error) {
            if (error instanceof Cancelled) return;
            this.wipe();
            this.trouble.replaceChildren(problem(error instanceof Error ? error.message : String(error)));
        }
        this.stop.disabled = true;
    }

    paint() {
        const { numbers, largest, classes, how, chosen } = this;
        const p = classes ? classes.indexOf("P") : 0;
        /** @type {(at: number) => number} */
        let colour = (at) => viridis(numbers[at], largest);
        if (how === "lost") colour = (at) => mark(numbers[at] === p);
        else if (how === "value") colour = (at) => mark(numbers[at] === chosen);
        else if (how === "differences") colour = (at) => difference(numbers[at], largest);
        else if (classes) colour = (at) => CLASSES[classes[numbers[at]]] ?? 0;
        this.heat.show({ rows: this.side, cols: this.side, colour });
        this.legend();
    }

    legend() {
        const { how, classes, largest } = this;
        if (how === "values" && classes) {
            this.scale.replaceChildren(...classes.map((name) => {
                const box = el("span", { class: "box" });
                box.style.backgroundColor = `#${CLASSES[name].toString(16).padStart(6, "0")}`;
                return el("span", {}, box, ` ${name} `);
            }));
        } else if (how === "values") {
            this.scale.replaceChildren("0 ", bar((part) => viridis(part, 1)), ` ${largest}`);
        } else if (how === "differences") {
            this.scale.replaceChildren(`−${largest} `,
                bar((part) => difference(Math.round((2 * part - 1) * largest), largest)), ` ${largest}`);
        } else {
            this.scale.replaceChildren("Light cells are those that are looked for.");
        }
    }

    /** @param {number} row @param {number} col */
    position(row, col) {
        return [row + 1, ...(this.middle ? [this.middle] : []), col + 1].join(",");
    }

    /** @param {number} row @param {number} col */
    point(row, col) {
        const number = this.numbers[row * this.side + col];
        const what = this.differ ? `value − (a xor b) = ${number}` :
            this.classes ? `class ${this.classes[number]}` : `value ${number}`;
        this.cell.textContent = `${this.position(row, col)}: ${what}`;
        if (row + 1 === this.row) return;
        this.row = row + 1;
        this.period = null;
        this.found.textContent = "";
        clearTimeout(this.#timer);
        this.rows.cancel();
        if (named(this.game)?.row) this.#timer = window.setTimeout(() => this.look(this.row), 300);
    }

    /** Searches the period of a row. @param {number} a */
    async look(a) {
        const word = [a, ...(this.middle ? [this.middle] : [])].join(",");
        try {
            const { answer } = await this.rows.ask(
                { ask: "row", game: this.game, word, last: Math.max(4 * this.side, 1000) }, { patience: 10 });
            if (a !== this.row || !answer.period) return;
            this.period = answer.period;
            const { preperiod, period, saltus, proved } = answer.period;
            this.found.replaceChildren(
                el("a", { href: address("row", this.game, word, String(this.side)) }, `Row ${word},b`),
                `: preperiod ${preperiod}, period ${period}, saltus ${saltus}, ${proved ? "proved" : "observed"}.`);
            this.heat.draw();
        } catch {
            // The page works without the period.
        }
    }

    /**
     * Draws the period of the selected row.
     * @param {CanvasRenderingContext2D} context
     * @param {(col: number, row: number) => [number, number]} to
     * @param {number} cell
     */
    over(context, to, cell) {
        if (!this.period || this.row > this.side) return;
        const { preperiod, period } = this.period;
        if (period * cell < 3) return;
        context.strokeStyle = "#fff";
        context.lineWidth = 2;
        context.beginPath();
        for (let col = preperiod; col <= this.side; col += period) {
            const [x, y] = to(col, this.row - 1);
            context.moveTo(x, y - 4);
            context.lineTo(x, y + cell + 4);
        }
        context.stroke();
    }
}
