// A game from a position on: against the computer, which plays perfectly, or against somebody
// beside you. Which moves win, the crates have said.

import { claim, said } from "./claims.js";
import { choice, el, labelled, say } from "./dom.js";

/** @typedef {import("./engine.js").Answer} Answer */

export class Play {
    /** "" for no game, else who plays against you. */
    against = "";
    /** Who is to move: 0 began. */
    mover = 0;
    hinted = false;
    /** The positions played, and who was to move in each. @type {{ text: string, mover: number }[]} */
    at = [];
    log = el("ol", { class: "log", tabindex: 0, "aria-label": "What was played" });
    /** @type {number} */
    #timer = 0;

    /** @param {(text: string) => void} go shows a position */
    constructor(go) {
        this.go = go;
        this.select = choice([["", "nobody: look around"], ["computer", "the computer"],
            ["beside", "someone beside you"]], "", (value) => this.begin(value), "against");
        this.hint = el("button", { type: "button", id: "hint", onclick: () => {
            this.hinted = true;
            this.again();
        } }, "Hint");
        this.second = el("button", { type: "button", id: "second", onclick: () => {
            this.mover = 1;
            this.at = [];
            this.again();
        } }, "Let the computer begin");
        this.bar = el("div", { class: "bar" }, labelled("Play against", this.select), this.hint, this.second);
        this.show();
    }

    get on() {
        return this.against !== "";
    }

    /** Whether values are hidden: who plays would not want them. */
    hides() {
        return this.on && !this.hinted;
    }

    show() {
        this.hint.hidden = !this.on;
        this.second.hidden = this.against !== "computer" || this.at.length > 1 || this.mover === 1;
    }

    /** @param {string} against */
    begin(against) {
        clearTimeout(this.#timer);
        this.against = against;
        this.mover = 0;
        this.at = [];
        this.log.replaceChildren();
        this.again();
    }

    again() {
        this.show();
        window.dispatchEvent(new HashChangeEvent("hashchange"));
    }

    /** Whether it is for the reader to move. */
    get mine() {
        return this.against !== "computer" || this.mover === 0;
    }

    /** The player who is to move, where there are two sorts: Left begins. */
    side() {
        return this.mover === 0 ? "Left" : "Right";
    }

    /** Whether who is to move may make a move. @param {Answer} made */
    may(made) {
        return !this.on || made.player === undefined || made.player === this.side();
    }

    /** @param {string} before @param {Answer} made @param {string} [why] */
    made(before, made, why = "") {
        const who = this.name();
        const text = `${who}: ${before} to ${made.option}.${why}`;
        this.log.append(el("li", {}, text));
        say(text);
        this.hinted = false;
        this.mover = 1 - this.mover;
        this.at.push({ text: made.option, mover: this.mover });
        this.show();
        this.go(made.option);
    }

    /** Takes moves back until a position is there again; one that never was begins anew. @param {string} text */
    take(text) {
        if (!this.on) return;
        clearTimeout(this.#timer);
        const place = this.at.findLastIndex((one) => one.text === text);
        if (place < 0) this.at = [{ text, mover: this.mover }];
        else this.at.length = place + 1;
        this.mover = this.at[this.at.length - 1].mover;
        while (this.log.children.length >= this.at.length) this.log.lastChild?.remove();
        this.show();
    }

    /** Ends what is about to be done. */
    end() {
        clearTimeout(this.#timer);
    }

    /** How many moves an undo takes back: the computer's, and the reader's before it. */
    get back() {
        return this.against === "computer" && this.mover === 0 && this.at.length > 2 ? 2 : 1;
    }

    name() {
        if (this.against === "computer") return this.mover === 0 ? "You" : "Computer";
        return this.mover === 0 ? "First" : "Second";
    }

    /**
     * Whose turn it is; the computer moves, a moment later.
     * @param {Answer} found
     * @param {import("./games.js").Game | undefined} game
     */
    turn(found, game) {
        clearTimeout(this.#timer);
        if (found.unlisted) {
            return el("div", { id: "turn" }, el("p", {}, "These are too many coins to play with here."), this.log);
        }
        /** @type {Answer[]} */
        const mine = (found.moves ?? []).filter((/** @type {Answer} */ made) => this.may(made));
        const lost = game?.lost_without_moves ?? true;
        let text;
        if (mine.length === 0) {
            const won = lost ? this.other() : this.name();
            text = `${won} ${won === "You" ? "have" : "has"} won.`;
            say(text);
        } else if (this.against === "computer" && this.mover === 1) {
            text = "The computer is to move.";
            this.#timer = window.setTimeout(() => this.answer(found, mine), 400);
        } else {
            text = this.against === "computer" ? "It is your move." : `${this.name()} is to move.`;
            if (this.hinted) {
                text += mine.some((made) => made.winning) ? " The marked moves win." :
                    " No move wins against perfect play.";
            }
        }
        return el("div", { id: "turn" }, el("p", {}, text), this.log);
    }

    other() {
        this.mover = 1 - this.mover;
        const name = this.name();
        this.mover = 1 - this.mover;
        return name;
    }

    /** @param {Answer} found @param {Answer[]} mine */
    answer(found, mine) {
        const winning = mine.find((made) => made.winning);
        if (winning) {
            const theorem = winning.reason ? claim(winning.reason) : undefined;
            const why = theorem ? ` ${theorem.title} (${theorem.id}): ${said(theorem)}` +
                " So it leaves a position that is lost for who is to move." :
                ` It leaves a position of ${winning.grundy === null ? `class ${winning.outcome}` : "value 0"}: every move from there has an answer.`;
            this.made(found.position, winning, why);
            return;
        }
        // What takes the fewest coins leaves the most to get wrong.
        const slow = mine.reduce((best, made) => made.from - made.to < best.from - best.to ? made : best);
        this.made(found.position, slow, " No move wins, so it takes as little as it can.");
    }
}
