// Shows the value of the same piles in other games, and the value of the sum with another position.

import { powers } from "./asked.js";
import { choice, el, labelled, problem } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, convention, game as named, names } from "./games.js";
import { form } from "./view.js";

/** True for a game whose values add by xor. @param {import("./games.js").Game} game */
const isSummand = (game) => game.impartial && !game.convention;

export class Others {
    engine = new Engine();
    sums = new Engine();
    game = "";
    text = "";
    body = el("tbody");
    #asked = 0;

    constructor() {
        this.select = choice(names(isSummand), "nim", () => {}, "plus-game");
        this.field = el("input", { id: "plus", type: "text", maxlength: 400, spellcheck: "false", value: "1,2" });
        this.result = el("p", { id: "sum", role: "status" });
        this.whole = el("details", { id: "others", ontoggle: () => this.show() },
            el("summary", {}, "In other games, and in a sum"),
            el("table", {}, el("thead", {}, el("tr", {}, ...["Game", "Value or class"].map((text) => el("th", { scope: "col" }, text)))), this.body),
            form(() => this.add(), "Add", labelled("The sum with a position of", this.select), labelled("Position", this.field)),
            this.result);
    }

    end() {
        this.#asked++;
        this.engine.end();
        this.sums.end();
    }

    /** Changes to another position. @param {string} game @param {string} text */
    about(game, text) {
        this.game = game;
        this.text = text;
        this.result.textContent = "";
        this.show();
    }

    /** @param {Engine} engine @param {string} game @param {string} position @param {string} [ask] */
    async #value(engine, game, position, ask = "value") {
        return (await engine.ask({ ask, game, position }, { patience: 10 })).answer;
    }

    async show() {
        const asked = ++this.#asked;
        this.body.replaceChildren();
        if (!this.whole.open) return;
        const piles = this.text.replace(/[/{].*$/, "");
        for (const [id, title] of names(() => true)) {
            if (id === this.game) continue;
            /** @type {string} */
            let said;
            try {
                const found = await this.#value(this.engine, id, piles);
                said = found.grundy === null ? `class ${found.outcome}` : [String(found.grundy), convention(id)].filter((text) => text).join(".");
            } catch (error) {
                if (error instanceof Cancelled) return;
                said = error instanceof Error ? error.message : String(error);
            }
            if (asked !== this.#asked) return;
            this.body.append(el("tr", {}, el("td", {}, el("a", { href: address("position", id, piles) }, title)), el("td", {}, said)));
        }
    }

    /** Shows the value of the sum, which under normal play is the nim-sum of the values. */
    async add() {
        const { text } = this;
        try {
            const { impartial, convention } = named(this.game) ?? { impartial: false, convention: null };
            if (!impartial || convention) throw new Error("A sum needs positions of impartial games under normal play.");
            const [one, other] = [await this.#value(this.sums, this.game, text, "position"), await this.#value(this.sums, this.select.value, powers(this.field.value), "position")];
            if (text !== this.text) return;
            const sum = (one.grundy ^ other.grundy) >>> 0;
            // A move wins if it makes both values equal, and the larger value has such a move.
            const [high, low] = one.grundy > other.grundy ? [one, other] : [other, one];
            const made = high.moves?.find((/** @type {import("./engine.js").Answer} */ { grundy }) => grundy === low.grundy);
            this.result.textContent = `${one.grundy} xor ${other.grundy} = ${sum}: the player to move ${sum === 0 ? "loses" : "wins"} the sum${made ? `, for example by ${high.position} → ${made.option}` : ""}.`;
        } catch (error) {
            if (!(error instanceof Cancelled)) this.result.replaceChildren(problem(error));
        }
    }
}
