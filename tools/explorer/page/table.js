// Shows the tile of a middle w, the values of all a·w·b, as a heat map.

import { CLASSES, difference, legend, logarithmic, mark, residue, viridis } from "./colours.js";
import { fill, only, powers, read, reads, whole, wrong } from "./asked.js";
import { choice, clock, counter, el, grouped, labelled, problem, say } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, convention, duration, game as named, listed, most, names, rules } from "./games.js";
import { Heat, zooming } from "./heat.js";
import { row as piles } from "./piles.js";
import { Plot } from "./plot.js";
import { ticks } from "./ticks.js";
import { form, viewed } from "./view.js";

/**
 * The sides of tiles, by what the game remembers. The page first shows a small tile, and then replaces it by larger tiles.
 * The second side is the default.
 */
const SIDES = { nothing: [64, 256, 1024], "last-move": [64, 256, 400], moves: [8, 12, 16] };

/** @param {string} id */
function sidesOf(id) {
    return SIDES[named(id)?.remembers ?? "nothing"];
}

/** An upper bound for the values in a table. */
const MOST_VALUE = 999_999;

/** The ways to show a table. @type {[string, string][]} */
const WAYS = [["values", "values"], ["seen", "values, scaled to the visible part"], ["log", "values, by logarithm"],
    ["parity", "even and odd values"], ["mod", "values modulo m"], ["lost", "P-positions"],
    ["differences", "value − (a xor b)"], ["value", "one value"]];

/** Milliseconds from the last change of the visible part until the page puts it into the address. */
const SETTLES = 250;

/** Returns true for a game whose piles have no order. @param {string} id */
function hasNoMiddle(id) {
    const found = named(id);
    return found !== undefined && !found.row && found.kind !== "places";
}

/** True if a game can be shown in this way. Outcome classes are not numbers, so they have no residues and differences. @param {string} game @param {string} way */
function suits(game, way) {
    return named(game)?.impartial !== false || way === "values" || way === "lost";
}

/** The middle of the last game that has one. It stays when another game makes a new view. */
let kept = "";

/** The size that the user chose last. */
let keptSide = "";

/** True if the user has opened the fields. They stay open when another game makes a new view. */
let isOpen = false;

class TableView {
    engine = new Engine();
    rows = new Engine();
    /** @type {Int32Array | Uint32Array} */
    numbers = new Uint32Array();
    side = 0;
    /** True if the numbers are differences. */
    differ = false;
    largest = 1;
    /** @type {string[] | null} */
    classes = null;
    game = "end-nim";
    middle = "";
    wanted = 256;
    how = "values";
    chosen = 0;
    /** The row whose period is told. */
    row = 0;
    /** The index of the row in the graph, which is that of the pinned cell. */
    drawn = 0;
    #timer = 0;
    #settled = 0;
    /** Ends the clock of the computation. */
    #waited = () => {};
    /** The address that is shown. */
    #address = "";
    /** The largest value of the current colour scale. */
    #painted = 0;
    /** Answers questions about the pinned cell without cancelling other questions. */
    cells = new Engine();
    /** The pinned cell in the address. */
    cellText = "";
    /** The cell and the visible part that the address names. @type {{ cell: number[] | null, part: number[] | null }} */
    asked = { cell: null, part: null };
    /** @type {Map<string, number>} seconds of each side */
    seconds = new Map();
    /** A key that identifies the shown numbers (see `wants`), and the text about them. */
    have = "";
    summary = "";

    /** @param {HTMLElement} main */
    constructor(main) {
        this.select = listed(names(), this.game, () => this.go());
        this.word = el("input", { id: "middle", type: "text", maxlength: 400, spellcheck: "false" });
        this.between = labelled("Middle w", this.word);
        this.size = choice([], "", (side) => {
            keptSide = side;
            this.go();
        }, "side");
        this.shown = choice(WAYS, "values", () => this.go(), "how");
        this.one = counter({ id: "chosen", value: 0, onchange: () => this.go() });
        this.oneField = labelled("Number", this.one);
        this.heat = new Heat({
            label: "Heat map of the tile. Arrow keys move, plus and minus zoom, Space pins a cell, Enter opens the position.",
            axes: ["a", "b"],
            pin: (row, col) => this.pin(row, col),
            seen: () => this.look_at(),
            point: (row, col) => this.point(row, col),
            open: (row, col) => {
                this.settle();
                location.hash = address("position", this.game, this.position(row, col));
            },
        });
        this.status = el("p", { id: "status", class: "note" });
        this.cell = el("p", { id: "cell" }, "Point at a cell.");
        this.found = el("p", { id: "period" });
        this.pinned = el("div", { id: "pinned" });
        this.graph = new Plot({
            label: "The row under the selected cell. Left and right move, plus and minus zoom.",
            point: (b) => this.cell.textContent = this.says(this.drawn, b - 1),
        });
        this.graph.canvas.hidden = true;
        this.scale = el("div", { class: "legend", id: "legend" });
        this.trouble = el("div");
        this.about = el("summary", {});
        this.rule = el("p", { class: "note" });
        main.append(el("h2", {}, "A table"), el("details", { id: "fields", open: isOpen, ontoggle: (/** @type {any} */ event) => isOpen = event.currentTarget.open }, this.about, this.rule,
            form(() => this.go(), "Show", labelled("Game", this.select), this.between, labelled("Size", this.size))),
        this.trouble, this.status,
        el("div", { class: "picture" }, this.heat.whole,
            el("div", { class: "beside" }, this.cell, el("div", { class: "bar" }, labelled("Colours", this.shown), this.oneField), this.scale,
                zooming(this.heat), el("a", { id: "beside", class: "button", href: "#two", onclick: (/** @type {any} */ { currentTarget }) => {
                    const here = decodeURIComponent(location.hash.slice(1));
                    currentTarget.href = address("two", here, here);
                } }, "Beside another map"), this.pinned, this.found, this.graph.canvas)));
    }

    stop() {
        this.#waited();
        this.engine.cancel();
        this.rows.cancel();
        this.cells.cancel();
        clearTimeout(this.#timer);
        clearTimeout(this.#settled);
    }

    end() {
        this.stop();
        this.engine.end();
        this.rows.end();
        this.cells.end();
    }

    go() {
        const way = suits(this.select.value, this.shown.value) ? this.shown.value : "values";
        const number = way === "mod" && read(this.one.value) < 2 ? "4" : this.one.value;
        const how = way === "value" || way === "mod" ? `${way}=${number}` : way;
        const middle = hasNoMiddle(this.select.value) ? "" : powers(this.word.value.trim());
        const sides = sidesOf(this.select.value);
        // Another game gets the size that the user chose last, if its tables have this size.
        const side = this.select.value === this.game ? this.size.value :
            String([keptSide, this.size.value].map(Number).find((side) => sides.includes(side)) ?? sides[1]);
        location.hash = address("table", this.select.value, middle, side, how);
    }

    /** Shows the cell and the part in the address. Returns true if it has announced a cell that was opened before. */
    arrive() {
        const { cell, part } = this.asked;
        if (part) this.heat.look(part[1] - 1, part[0] - 1, part[2]);
        if (cell) {
            this.heat.point(cell[0] - 1, cell[1] - 1);
            this.heat.pin();
        }
        this.asked = { cell: null, part: null };
        if (part) this.paint();
        return this.heat.resume();
    }

    /** Writes the pinned cell and the visible part to the address, a moment after their last change. */
    look_at() {
        if (this.have === "") return;
        clearTimeout(this.#settled);
        this.#settled = window.setTimeout(() => this.settle(), SETTLES);
    }

    /** Writes the pinned cell and the visible part to the address. */
    settle() {
        clearTimeout(this.#settled);
        if (this.have === "") return;
        // If the scale has changed, painting starts the timer again, so this function is called
        // once more.
        if (this.how === "seen" && this.#most_seen() !== this.#painted) this.paint();
        const { left, top, seen } = this.heat.seen;
        const how = this.how === "value" || this.how === "mod" ? `${this.how}=${this.chosen}` : this.how;
        const part = seen < this.side ? [top, left, seen].map((at, index) => Math.round(at) + (index < 2 ? 1 : 0)).join(",") : "";
        // The address may have changed already, although the page has not received the event yet.
        if (location.hash !== this.#address) return;
        const rest = part ? [this.cellText, part] : this.cellText ? [this.cellText] : [];
        history.replaceState(history.state, "", address("table", this.game, this.middle, String(this.wanted), how, ...rest));
        this.#address = location.hash;
        window.dispatchEvent(new Event("settled"));
    }

    /** Shows a cell beside the map: its coins, its value, and the moves that win. @param {number} row @param {number} col */
    async pin(row, col) {
        const position = this.position(row, col);
        this.cellText = `${row + 1},${col + 1}`;
        this.drawn = row;
        this.look_at();
        const link = el("a", { href: address("position", this.game, position) }, position);
        const moves = el("p", { class: "note" }, "…");
        this.pinned.replaceChildren(el("h3", {}, link, this.says(row, col).slice(position.length)),
            moves, el("p", {}, el("a", { href: address("play", this.game, "first", position) }, "Play from here")),
            piles(position.split(",").map(Number)));
        this.graph.canvas.hidden = this.differ || this.classes !== null;
        if (!this.graph.canvas.hidden) {
            this.graph.show(/** @type {Uint32Array} */ (this.numbers.slice(row * this.side, (row + 1) * this.side)));
            this.graph.point(col + 1);
        }
        try {
            const { answer } = await this.cells.ask({ ask: "position", game: this.game, position }, { patience: 10 });
            const all = (answer.moves ?? []).filter((/** @type {import("./engine.js").Answer} */ made) => made.winning);
            /** @type {string[]} */
            const winning = [...new Set(all.map((/** @type {import("./engine.js").Answer} */ made) => made.option))];
            moves.replaceChildren(answer.unlisted ?? (winning.length === 0 ? "No move wins." : "Wins: "), ...winning.slice(0, 8).flatMap(
                (option, at) => [at > 0 ? ", " : "", el("a", { href: address("position", this.game, option) }, option)]),
            winning.length > 8 ? ` and ${winning.length - 8} more` : "");
            say(`${this.says(row, col)}. ${moves.textContent}`);
        } catch (error) {
            if (!(error instanceof Cancelled)) moves.textContent = error instanceof Error ? error.message : String(error);
        }
    }

    /** Returns the picture with its axes and a caption, and the numbers, with a, b, and the value or the class on each line. */
    saves() {
        if (this.side === 0) return null;
        const { left, top, seen } = this.heat.seen;
        const what = this.classes && this.how === "values" ? "outcome classes" : WAYS.find(([way]) => way === this.how)?.[1] ?? "";
        const caption = [`${named(this.game)?.title}: ${["a", ...(this.middle ? [this.middle] : []), "b"].join(",")}; ${what}` +
            (this.how === "value" || this.how === "mod" ? ` (${this.chosen})` : ""),
        `rows a from ${Math.round(top) + 1}, columns b from ${Math.round(left) + 1}, ${Math.round(seen)} of each. Computed by Grundy.`];
        const lines = () => [`a,b,${this.differ ? "difference" : this.classes ? "class" : "value"}`,
            ...Array.from(this.numbers, (_, at) => `${Math.floor(at / this.side) + 1},${at % this.side + 1},${this.#number(at)}`)];
        return { map: this.heat.picture(), caption, key: this.key(), axes: this.heat.seen, lines, name: /** @type {[string, ...string[]]} */ ([this.game, this.middle || "pairs", String(this.side)]) };
    }

    /** @param {number} at */
    #number(at) {
        return this.classes ? this.classes[this.numbers[at]] : String(this.numbers[at]);
    }

    /** @param {string[]} parts */
    show(parts) {
        const [game = "end-nim", middle = "", side = String(sidesOf(game)[1]), how = "seen", cell = "", part = ""] = parts;
        this.stop();
        this.#address = location.hash;
        const isSame = game === this.game && middle === this.middle && side === String(this.wanted);
        this.game = game;
        this.middle = middle;
        const value = /^(value|mod)=(.*)$/.exec(how);
        const pinned = /^(\d{1,4}),(\d{1,4})$/.exec(cell);
        const seen = /^(\d{1,4}),(\d{1,4}),(\d{1,4})$/.exec(part);
        this.select.value = game;
        const unordered = hasNoMiddle(game);
        // The field keeps the middle for the next game whose tables have a middle.
        this.between.hidden = unordered;
        if (!unordered) kept = middle;
        this.word.value = kept;
        const title = names().find(([id]) => id === game)?.[1] ?? game;
        this.about.textContent = unordered ? `${title}: all positions a, b: rows are a, columns are b` :
            `${title}: all positions a, w, b: rows are a, columns are b, and the middle w is ${middle || "empty"}`;
        this.rule.textContent = rules(game) + (unordered ? " Its piles have no order, so there is no middle w." : "");
        fill(this.one, value ? value[2] : how === "mod" ? "4" : "0");
        const fine = reads(this.trouble, () => {
            only(parts, ["a game", "a middle", "a size", "what is shown", "a cell", "the visible part"]);
            this.wanted = whole(side, "the size", 1, most().side);
            if (!value && !WAYS.some(([way]) => way === how && way !== "value" && way !== "mod")) {
                throw wrong(how, "what is shown", "write values, seen, log, parity, lost, differences, " +
                    "one value, as in value=5, or a modulus, as in mod=4");
            }
            this.how = value ? value[1] : how;
            if (!suits(game, this.how)) this.how = "values";
            if (value?.[1] === "mod") this.chosen = whole(value[2], "the modulus", 2, MOST_VALUE);
            else this.chosen = value ? whole(value[2], "the chosen value", 0, MOST_VALUE) : 0;
            if (cell && !pinned) throw wrong(cell, "the cell", "write a row and a column, with a comma");
            if (part && !seen) throw wrong(part, "the visible part", "write the first row, the first column and the visible number");
            for (const text of pinned?.slice(1) ?? []) whole(text, "the cell", 1, this.wanted);
            for (const text of seen?.slice(1) ?? []) whole(text, "the visible part", 1, this.wanted);
        });
        if (!fine) {
            this.wipe();
            return true;
        }
        this.size.replaceChildren(...[...new Set([...sidesOf(game).map(String), side])]
            .map((side) => el("option", { value: side }, `${side} × ${side}`)));
        this.size.value = side;
        if (sidesOf(game) === SIDES.nothing) keptSide = side;
        this.shown.value = this.how;
        for (const way of this.shown.options) way.disabled = !suits(game, way.value);
        this.oneField.hidden = this.how !== "value" && this.how !== "mod";
        this.asked = { cell: pinned?.slice(1).map(Number) ?? null, part: seen?.slice(1).map(Number) ?? null };
        // If the table has not changed, keep its visible part.
        if (isSame && this.have === this.wants()) {
            this.paint();
            this.arrive();
            this.status.textContent = this.summary;
        } else {
            if (!isSame || this.have === "") this.wipe();
            this.load();
        }
        return true;
    }

    /** Says which size is shown instead of the wanted size. */
    #instead() {
        return `Stopped: ${this.side} × ${this.side} is shown, of ${this.wanted} × ${this.wanted}.`;
    }

    /** Stops the computation, at the wish of the user. */
    #halt() {
        this.stop();
        // Remove a picture that does not agree with the fields.
        if (this.have && this.have !== this.wants()) this.wipe();
        this.status.textContent = this.side === 0 ? "Stopped; nothing is shown." : this.#instead();
    }

    /** Returns a key that identifies the wanted numbers. */
    wants() {
        return [this.game, this.middle, this.wanted, this.how === "differences"].join("/");
    }

    /** Removes the picture of another table. */
    wipe() {
        this.have = "";
        this.seconds.clear();
        this.side = 0;
        this.summary = "";
        this.row = 0;
        this.found.textContent = "";
        this.status.textContent = "";
        this.cell.textContent = "Point at a cell.";
        this.cellText = "";
        this.pinned.replaceChildren();
        this.graph.canvas.hidden = true;
        this.scale.replaceChildren();
        this.heat.clear();
    }

    async load() {
        const { wanted, how } = this;
        const wants = this.wants();
        // Skip sizes up to the visible size. Always ask for the wanted size.
        const shown = this.have ? this.side : 0;
        const sides = [...sidesOf(this.game).filter((side) => side > shown && side < wanted), wanted];
        for (const known of [...this.seconds.keys()]) if (Number(known) >= sides[0]) this.seconds.delete(known);
        try {
            // The first table of a game takes longer, because the browser compiles the crates meanwhile.
            if (shown === 0 && sides.length > 1) await this.engine.ask({ ask: "tile", game: this.game, middle: this.middle, side: 8, differences: false });
            for (let side = sides.shift(); side !== undefined; side = sides.shift()) {
                // One small table tells little about the time of a large one.
                if (this.seconds.size === 1 && this.#estimate(side) > 2 && side >= 128) {
                    sides.unshift(side);
                    side = Math.round(side / 2);
                }
                this.#waited();
                // Do not begin a computation that the page would stop.
                if (this.seconds.size > 1 && this.#estimate(side, 1) > 2 * most().seconds) {
                    throw new Error(`${side} × ${side} would take about ${duration(this.#estimate(side))} here, ` +
                        `but the limit is ${duration(most().seconds)}. Choose a smaller size, or use the program grundy.`);
                }
                this.#waited = clock(this.status, `Computing ${side} × ${side}${this.expected(side)}`, () => this.#halt());
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
                this.#waited();
                this.paint();
                this.summary = `${side} × ${side}: ${grouped(answer.lost)} P-positions` +
                    (answer.classes ? "" : `, largest ${answer.differences ? "absolute difference" : "value"} ${answer.largest}`) +
                    `.${convention(this.game)}`;
                this.status.textContent = this.summary;
            }
            this.have = wants;
            if (!this.arrive()) say(this.status.textContent ?? "");
        } catch (error) {
            if (error instanceof Cancelled) return;
            this.#waited();
            // If a smaller size was just computed, it stays visible.
            if (this.seconds.size > 0) this.status.textContent = this.#instead();
            else this.wipe();
            this.trouble.replaceChildren(problem(error));
        }
    }

    /**
     * Returns the estimated time of a size in words, from the times of smaller sizes; "" below a second.
     * @param {number} side
     */
    expected(side) {
        const seconds = this.#estimate(side);
        const limit = seconds > most().seconds ? `; the page stops after ${duration(most().seconds)}` : "";
        return seconds >= 1 ? ` (about ${duration(seconds)}${limit})` : "";
    }

    /** Estimates the seconds of a size from the times of smaller sizes; 0 if there are none. @param {number} side @param {number} [least] the least power of the side that the time may grow with */
    #estimate(side, least = 2) {
        const [last, before] = [...this.seconds].map(([side, seconds]) => [Number(side), seconds]).reverse();
        if (!last) return 0;
        if (!before) return last[1] * (side / last[0]) ** 2;
        const grown = last[0] / before[0];
        // The time of a small table is mostly a fixed cost, and on a busy machine mostly chance.
        const power = before[1] < 0.1 ? least : Math.log(last[1] / before[1]) / Math.log(grown);
        return last[1] * (side / last[0]) ** Math.max(power, least);
    }

    paint() {
        const { numbers, largest, classes, how, chosen } = this;
        const p = classes ? classes.indexOf("P") : 0;
        if (how === "seen") this.#painted = this.#most_seen();
        /** @type {(number: number) => number} */
        let shade = (number) => viridis(number, how === "seen" ? this.#painted : largest);
        if (classes && how !== "lost") shade = (number) => CLASSES[classes[number]] ?? 0;
        else if (how === "lost") shade = (number) => mark(number === p);
        else if (how === "value") shade = (number) => mark(number === chosen);
        else if (how === "log") shade = (number) => logarithmic(number, largest);
        else if (how === "parity" || how === "mod") shade = (number) => residue(number, how === "mod" ? chosen : 2);
        else if (how === "differences") shade = (number) => difference(number, largest);
        // A table has far fewer values than cells, so the colour of each value is computed once.
        const least = this.differ ? -largest : 0;
        const palette = Uint32Array.from({ length: (classes?.length ?? largest + 1) - least }, (_, at) => shade(at + least));
        const colour = (/** @type {number} */ at) => palette[numbers[at] - least];
        this.heat.show({ rows: this.side, cols: this.side, colour, text: (at) => this.#number(at) });
        this.scale.replaceChildren(...legend(this.key()));
        // A larger table also changes the visible part, and so the scale.
        if (how === "seen" && this.#most_seen() !== this.#painted) this.paint();
    }

    /** Returns the key of the colours. @returns {import("./colours.js").Key} */
    key() {
        const { how, classes, largest } = this;
        if (classes && how !== "lost") return { boxes: classes.map((name) => [name, CLASSES[name]]) };
        const most = how === "seen" ? this.#painted : largest;
        const values = ticks(1, most - 1, 4);
        if (how === "values" || how === "seen") {
            return { bar: ["0", (part) => viridis(part, 1), String(most)], ticks: values.map((value) => [value, value / most]) };
        }
        // The bar of the logarithm has equal steps of the value, too.
        if (how === "log") return { bar: ["0", (part) => logarithmic(part * largest, largest), String(largest)], ticks: values.map((value) => [value, value / most]) };
        if (how === "parity" || how === "mod") {
            const modulus = how === "mod" ? this.chosen : 2;
            return { bar: ["0", (part) => residue(Math.round(part * (modulus - 1)), modulus), `${modulus - 1}, modulo ${modulus}`] };
        }
        if (how === "differences") {
            return { bar: [`−${largest}`, (part) => difference(Math.round((2 * part - 1) * largest), largest), String(largest)],
                ticks: ticks(1 - largest, largest - 1, 4).map((value) => [value, (value / largest + 1) / 2]) };
        }
        return { text: "Light cells match the choice." };
    }

    /** @param {number} row @param {number} col */
    position(row, col) {
        return [row + 1, ...(this.middle ? [this.middle] : []), col + 1].join(",");
    }

    /** Describes a cell. @param {number} row @param {number} col */
    says(row, col) {
        const number = this.#number(row * this.side + col);
        return `${this.position(row, col)}: ${this.differ ? "value − (a xor b) =" : this.classes ? "class" : "value"} ${number}`;
    }

    /** The largest value in the visible part. */
    #most_seen() {
        const { left, top, seen } = this.heat.seen;
        if (seen >= this.side) return this.largest;
        let most = 1;
        for (let row = Math.floor(top); row < Math.min(top + seen, this.side); row++) {
            for (let col = Math.floor(left); col < Math.min(left + seen, this.side); col++) {
                most = Math.max(most, this.numbers[row * this.side + col]);
            }
        }
        return most;
    }

    /** @param {number} row @param {number} col */
    point(row, col) {
        const said = this.cell.textContent = this.says(row, col);
        if (row + 1 === this.row) return said;
        this.row = row + 1;
        this.found.textContent = "";
        clearTimeout(this.#timer);
        this.rows.cancel();
        if (named(this.game)?.row) this.#timer = window.setTimeout(() => this.look(this.row), 300);
        return said;
    }

    /** Searches for the period of a row. @param {number} a */
    async look(a) {
        const word = [a, ...(this.middle ? [this.middle] : [])].join(",");
        try {
            const { answer } = await this.rows.ask(
                { ask: "row", game: this.game, word, last: Math.max(4 * this.side, 1000) }, { patience: 10 });
            if (a !== this.row || !answer.period) return;
            const { preperiod, period, saltus, proved } = answer.period;
            this.found.replaceChildren(
                el("a", { href: address("row", this.game, word, String(this.side)) }, `Row ${word},b`),
                `: preperiod ${preperiod}, period ${period}, saltus ${saltus}, ${proved ? "proved" : "observed"}.`);
        } catch {
            // If the period cannot be found, the page works without it.
        }
    }
}

export const table = viewed(TableView);
