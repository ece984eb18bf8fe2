// Shows the rows u^i w v^j of a family: a map of i and j, the pattern for all i and j, and the
// theorem that the pattern proves.

import { only, reads, whole, wrong } from "./asked.js";
import { CLASSES, legend, viridis } from "./colours.js";
import { choice, el, grouped, labelled, say } from "./dom.js";
import { Engine } from "./engine.js";
import { address, convention, game as named, MOST_ADDRESS, names, rules } from "./games.js";
import { Heat, zooming } from "./heat.js";
import { row as coins } from "./piles.js";
import { save } from "./save.js";
import { answered, form, list, viewed } from "./view.js";

/** The number of a cell without a position: the empty row, in games that do not have it. */
const NONE = 0xffffffff;

/** The maximum number of values that the key of the colours names one by one. */
const MOST_NAMED = 16;

/** Milliseconds from the last change of the pinned cell until the address names it. */
const SETTLES = 250;

class FamiliesView {
    engine = new Engine();
    game = "";
    family = "";
    /** The answer about the family that is shown. @type {import("./engine.js").Answer | null} */
    found = null;
    /** @type {Uint32Array} */
    numbers = new Uint32Array();
    side = 0;
    /** The largest value. */
    most = 1;
    /** The pinned cell in the address. */
    cellText = "";
    #timer = 0;

    /** @param {HTMLElement} main */
    constructor(main) {
        this.select = choice(names((game) => game.row), "", () => this.go(), "game");
        this.field = el("input", { id: "family", type: "text", maxlength: 400, spellcheck: "false", autocomplete: "off" });
        this.rule = el("p", { class: "note" });
        this.about = el("summary", {}, "Another family");
        this.trouble = el("div");
        this.status = el("p", { id: "status", class: "note" });
        this.cell = el("p", { id: "cell" });
        this.scale = el("div", { class: "legend", id: "legend" });
        this.pinned = el("div", { id: "pinned" });
        this.told = el("section", { id: "told", "aria-label": "The pattern, for all i and j" });
        this.heat = new Heat({
            label: "Map of the family: rows are i, columns are j. Arrow keys move, plus and minus zoom, Space pins a cell, Enter opens the position.",
            axes: ["i", "j"], first: 0,
            point: (i, j) => this.cell.textContent = this.says(i, j),
            pin: (i, j) => this.pin(i, j),
            open: (i, j) => { location.hash = address("position", this.game, this.piles(i, j).join(",") || "()"); },
            over: (context, to) => this.over(context, to),
        });
        const examples = el("ul", { id: "examples" });
        this.picture = el("div", { class: "picture", hidden: true }, this.heat.whole, el("div", { class: "beside" }, this.cell, this.scale,
            this.pinned, zooming(this.heat), this.told));
        main.append(el("h2", {}, "A family of rows"), el("details", { id: "fields" },
            this.about, this.rule,
            el("p", { class: "note" }, "The page computes these rows, finds their pattern and proves it for all i and j. " +
                "Words of several piles stand in parentheses, as in (3,2,1)* 3,1 3*."),
            form(() => this.go(), "Show", labelled("Game", this.select), labelled("Family", this.field))),
            this.trouble, this.status, this.picture,
            el("h3", {}, "Examples"),
            examples);
        list("families").then((all) => examples.append(...all.map(([game, family, why, claim]) => el("li", {},
            el("a", { href: address("families", game, family) }, `${family} in ${named(game)?.title ?? game}`), why, claim && el("a", { href: address("claims", claim) }, claim)))));
    }

    go() {
        const wanted = address("families", this.select.value, this.field.value.trim());
        if (location.hash === wanted) this.show([this.select.value, this.field.value.trim()]);
        else location.hash = wanted;
    }

    end() {
        clearTimeout(this.#timer);
        this.engine.end();
    }

    /** @param {string[]} parts */
    show(parts) {
        const [game = "", family = "", cell = ""] = parts;
        const isSame = this.found !== null && game === this.game && family === this.family;
        clearTimeout(this.#timer);
        this.game = game;
        this.family = family;
        this.select.value = game;
        this.field.value = family;
        this.rule.textContent = rules(game);
        const pinned = /^(\d{1,4}),(\d{1,4})$/.exec(cell);
        const fine = reads(this.trouble, () => {
            only(parts, ["a game", "a family", "a cell"]);
            if (cell && !pinned) throw wrong(cell, "the cell", "write i and j, with a comma");
            for (const text of pinned?.slice(1) ?? []) whole(text, "the cell", 0, 63);
        });
        if (!fine) {
            this.wipe();
            return true;
        }
        this.cellText = pinned ? cell : "";
        if (isSame) this.arrive();
        else this.load();
        return true;
    }

    wipe() {
        this.engine.cancel();
        this.found = null;
        this.picture.hidden = true;
        this.status.textContent = "";
        this.heat.clear();
        for (const place of [this.cell, this.scale, this.pinned, this.told]) place.replaceChildren();
    }

    async load() {
        const { game, family } = this;
        this.wipe();
        const reply = await answered(this.engine, { ask: "families", game, family }, { place: this.status, words: "Looking for the pattern", trouble: this.trouble });
        if (!reply) return;
        const { answer, numbers } = reply;
        this.found = answer;
        this.numbers = numbers;
        this.most = numbers.reduce((most, number) => number === NONE ? most : Math.max(most, number), 1);
        this.side = Math.sqrt(numbers.length);
        document.title = `${answer.family} in ${named(game)?.title ?? game} · Grundy explorer`;
        this.picture.hidden = false;
        this.heat.show({ rows: this.side, cols: this.side, colour: (at) => this.colour(numbers[at]), text: (at) => this.name(numbers[at]) });
        this.scale.replaceChildren(...legend(this.key()));
        this.arrive();
        this.tell();
    }

    /** Shows the cell in the address. */
    arrive() {
        const [i, j] = this.cellText ? this.cellText.split(",").map(Number) : [1, 1];
        this.heat.point(i, j);
        if (this.cellText) this.heat.pin();
        this.heat.resume();
    }

    /** @param {number} number */
    colour(number) {
        if (number === NONE) return 0x888888;
        return this.found?.classes ? CLASSES[this.found.classes[number]] : viridis(number, this.most);
    }

    /** Returns the name of a value or class. @param {number} number */
    name(number) {
        return number === NONE ? "–" : this.found?.classes ? this.found.classes[number] : String(number);
    }

    /** @returns {import("./colours.js").Key} */
    key() {
        const there = [...new Set(this.numbers)].filter((number) => number !== NONE).sort((a, b) => a - b);
        if (there.length <= MOST_NAMED) return { boxes: there.map((number) => [this.name(number), this.colour(number)]) };
        return { bar: ["0", (part) => viridis(part, 1), String(this.most)] };
    }

    /** Returns the row u^i w v^j. @param {number} i @param {number} j @returns {number[]} */
    piles(i, j) {
        const { left, middle, right } = this.found ?? { left: [], middle: [], right: [] };
        const times = (/** @type {number} */ count, /** @type {number[]} */ word) => Array(count).fill(word).flat();
        return [...times(i, left), ...middle, ...times(j, right)];
    }

    /** Describes a cell. @param {number} i @param {number} j */
    says(i, j) {
        const piles = this.piles(i, j);
        const number = this.numbers[i * this.side + j];
        const what = number === NONE ? "no position of this game" : `${this.found?.classes ? "class" : "value"} ${this.name(number)}`;
        const shown = piles.length > 24 ? `${piles.slice(0, 10).join(",")},…,${piles.slice(-10).join(",")} (${piles.length} piles)` : piles.join(",") || "no piles";
        return `i = ${i}, j = ${j}: ${what}: ${shown}`;
    }

    /** Shows a cell beside the map. @param {number} i @param {number} j */
    pin(i, j) {
        const piles = this.piles(i, j);
        const position = piles.join(",") || "()";
        this.pinned.replaceChildren(el("h3", {}, `i = ${i}, j = ${j}`),
            ...(piles.length > 0 && piles.length <= 24 ? [coins(piles)] : []),
            this.numbers[i * this.side + j] === NONE || address("position", this.game, position).length > MOST_ADDRESS ? "" :
                el("p", {}, el("a", { href: address("position", this.game, position) }, "This position"), ", or ",
                    el("a", { href: address("play", this.game, "first", position) }, "play from here")));
        this.cellText = `${i},${j}`;
        say(`Pinned: ${this.says(i, j)}`);
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => {
            // The address may already be that of another view, of which the page has not heard yet.
            if (!location.hash.startsWith(address("families"))) return;
            history.replaceState(history.state, "", address("families", this.game, this.family, this.cellText));
        }, SETTLES);
    }

    /** Shows the pattern and the theorem in words. */
    tell() {
        const found = /** @type {import("./engine.js").Answer} */ (this.found);
        const title = named(this.game)?.title ?? this.game;
        const { family, piles, step: [e, f], start, tiles, lines, columns } = found;
        const what = found.classes ? "outcome class" : "Grundy value";
        const [head, ...rest] = found.formula.split("\n");
        const shown = found.nonregular.map((/** @type {[number | string, number, number]} */ [value]) => value).filter((/** @type {any} */ value) => value !== null);
        const several = shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${shown[shown.length - 1]}` : `${shown[0]}`;
        const kind = found.classes ? "class" : "value";
        const closing = shown.length === 0 ?
            el("p", { id: "closing" }, `The ${kind} is periodic in i and in j, so a finite automaton can tell it for the rows of this family. ` +
                "This does not decide whether an automaton exists for all rows.") :
            el("p", { id: "closing" }, el("strong", {}, `The rows of ${kind} ${several} are not a regular set. `),
                `The ${kind} depends on how many copies stand on the left and on the right, compared with each other, and a finite automaton that reads ` +
                `a row pile by pile cannot count without end. So no finite automaton tells the ${what} of every row of ${title} with piles of at most ${piles}.`);
        this.about.textContent = `${family} means i times ${found.left}${found.middle.length > 0 ? `, then ${found.middle}` : ""}, then j times ${found.right}, for all i and j`;
        this.status.textContent = `${family} in ${title}: proved for all i and j, by ${grouped(tiles)} pieces of the map.${convention(this.game)}`;
        this.told.replaceChildren(el("h3", {}, "The pattern, for all i and j"),
            el("p", { id: "pattern" }, `If i and j are at least ${start}, the ${what} stays the same when i grows by ${e} and, at the same time, j grows by ${f}. ` +
                `Each of the lines i = 0 to ${start + e - 1} repeats with period ${lines[1]}, from j = ${lines[0]} or sooner. ` +
                `Each of the columns j = 0 to ${start + f - 1} repeats with period ${columns[1]}, from i = ${columns[0]} or sooner. Together these give every value.`),
            el("p", {}, `In a formula, ${head}:`),
            el("ul", { id: "formula" }, ...rest.map((/** @type {string} */ line) => el("li", {}, line.trim()))),
            el("h3", {}, "What this proves"), closing,
            el("p", { class: "note" }, "Code that the search does not use has checked the proof. The certificate contains it: ",
                el("code", {}, "grundy verify --certificate FILE"), " checks it again."),
            el("button", { type: "button", id: "certificate", onclick: () => save(new Blob([found.certificate], { type: "application/json" }),
                this.game, family.replace(/\*/g, ""), "cert") }, "Save the certificate"));
        const said = `${this.status.textContent} ${closing.textContent?.split(". ")[0]}.`;
        say(said);
    }

    /** Marks the part from which the pattern holds. @param {CanvasRenderingContext2D} context @param {(col: number, row: number) => [number, number]} to */
    over(context, to) {
        if (!this.found) return;
        const [x, y] = to(this.found.start, this.found.start);
        context.strokeStyle = "#fff";
        context.lineWidth = 2;
        context.strokeRect(x, y, context.canvas.width + 9, context.canvas.height + 9);
    }

    saves() {
        const { found, numbers, side } = this;
        if (!found) return null;
        const lines = () => [`i,j,${found.classes ? "class" : "value"}`,
            ...Array.from(numbers, (number, at) => `${Math.floor(at / side)},${at % side},${number === NONE ? "" : this.name(number)}`)];
        return { map: this.heat.picture(), key: this.key(), axes: { ...this.heat.seen, first: 0 }, lines, name: /** @type {[string, string]} */ ([this.game, found.family.replace(/\*/g, "")]),
            caption: [`${named(this.game)?.title}: ${found.family}, i copies on the left and j on the right. Computed by Grundy.`, ...found.formula.split("\n")] };
    }
}

export const families = viewed(FamiliesView);
