// A game from a position on: against the computer, which plays perfectly, or against someone
// beside you. The answers of the crates say which moves win.

import { claim } from "./claims.js";
import { choice, el, labelled, say } from "./dom.js";

/**
 * @typedef {import("./engine.js").Answer} Answer
 * @typedef {import("./trail.js").Place} Place
 * @typedef {{ against: string, at: { text: string, mover: number, line: string }[] }} Game the opponent;
 *     the positions, the player to move in each (0 began), and the move that led there
 * @typedef {{ where: () => string, go: (text: string) => void, again: () => void }} Means returns the
 *     position on the page; shows another; shows it again
 */

export class Play {
    /** All games of the view: going back in the history leads back into them. @type {Game[]} */
    games = [{ against: "", at: [] }];
    /** @type {Place} */
    place = { game: 0, step: 0 };
    hinted = false;
    log = el("ol", { class: "log", tabindex: 0, "aria-label": "What was played" });
    /** @type {number} */
    #timer = 0;

    /** @param {Means} means */
    constructor(means) {
        this.means = means;
        this.select = choice([["", "nobody: look around"], ["computer", "the computer"],
            ["beside", "someone beside you"]], "", (value) => {
            this.begin(value, this.means.where());
            this.means.again();
        }, "against");
        this.hint = el("button", { type: "button", id: "hint", onclick: () => {
            this.hinted = true;
            this.means.again();
        } }, "Hint");
        this.second = el("button", { type: "button", id: "second", onclick: () => {
            this.game.at[0].mover = 1;
            this.means.again();
        } }, "Let the computer begin");
        this.bar = el("div", { class: "bar" }, labelled("Play against", this.select), this.hint, this.second);
        this.show();
    }

    get game() {
        return this.games[this.place.game];
    }

    get against() {
        return this.game.against;
    }

    get on() {
        return this.against !== "";
    }

    /** The player to move. */
    get mover() {
        return this.game.at[this.place.step]?.mover ?? 0;
    }

    /** True if values are hidden, as during a game. */
    hides() {
        return this.on && !this.hinted;
    }

    show() {
        const { step } = this.place;
        this.select.value = this.against;
        this.hint.hidden = !this.on;
        this.second.hidden = this.against !== "computer" || step > 0 || this.mover === 1;
        this.log.replaceChildren(...this.game.at.slice(1, step + 1).map(({ line }) => el("li", {}, line)));
    }

    /** @param {string} against @param {string} text */
    begin(against, text) {
        this.end();
        this.hinted = false;
        this.place = { game: 0, step: 0 };
        if (against !== "") {
            this.games.push({ against, at: [{ text, mover: 0, line: "" }] });
            this.place = { game: this.games.length - 1, step: 0 };
        }
        this.show();
    }

    /**
     * Handles the arrival at a position of a game, or at a new one, where a new game begins.
     * @param {Place | null} place
     * @param {string} text
     */
    arrive(place, text) {
        this.end();
        if (!place) {
            this.begin(this.against, text);
            return;
        }
        if (place.game !== this.place.game || place.step !== this.place.step) this.hinted = false;
        this.place = this.games[place.game]?.at[place.step] ? place : { game: 0, step: 0 };
        this.show();
    }

    /** True if the user is to move. */
    get mine() {
        return this.against !== "computer" || this.mover === 0;
    }

    /** The player to move in a partizan game: Left begins. */
    side() {
        return this.mover === 0 ? "Left" : "Right";
    }

    /** True if the player to move may make a move. @param {Answer} made */
    may(made) {
        return !this.on || made.player === undefined || made.player === this.side();
    }

    /** @param {string} before @param {Answer} made @param {string} [why] */
    made(before, made, why = "") {
        const line = `${this.name(this.mover)}: ${before} to ${made.option}.${why}`;
        say(line);
        this.hinted = false;
        const { at } = this.game;
        // Moves that were taken back are dropped.
        at.length = this.place.step + 1;
        at.push({ text: made.option, mover: 1 - this.mover, line });
        this.place = { game: this.place.game, step: at.length - 1 };
        this.means.go(made.option);
    }

    /** Cancels the computer's next move. */
    end() {
        clearTimeout(this.#timer);
    }

    /** The moves that an undo takes back: the computer's and the user's before it; 0 for none. */
    get back() {
        const { step } = this.place;
        if (this.against !== "computer" || this.mover === 1 || step === 0) return 1;
        return step === 1 ? 0 : 2;
    }

    /** @param {number} mover */
    name(mover) {
        if (this.against === "computer") return mover === 0 ? "You" : "Computer";
        return mover === 0 ? "First" : "Second";
    }

    /**
     * Says whose turn it is; the computer moves a moment later.
     * @param {Answer} found
     * @param {import("./games.js").Game | undefined} game
     */
    turn(found, game) {
        this.end();
        if (found.unlisted) {
            return el("div", { id: "turn" }, el("p", {}, "This position is too large to play with here."), this.log);
        }
        /** @type {Answer[]} */
        const mine = (found.moves ?? []).filter((/** @type {Answer} */ made) => this.may(made));
        const lost = game?.lost_without_moves ?? true;
        let text;
        if (mine.length === 0) {
            const won = this.name(lost ? 1 - this.mover : this.mover);
            text = `${won} ${won === "You" ? "have" : "has"} won.`;
            say(text);
        } else if (!this.mine) {
            text = "The computer is to move.";
            this.#timer = window.setTimeout(() => this.answer(found, mine), 400);
        } else {
            text = this.against === "computer" ? "It is your move." : `${this.name(this.mover)} is to move.`;
            if (this.hinted) {
                text += mine.some((made) => made.winning) ? " The marked moves win." :
                    " No move wins against perfect play.";
            }
        }
        return el("div", { id: "turn" }, el("p", {}, text), this.log);
    }

    /** @param {Answer} found @param {Answer[]} mine */
    answer(found, mine) {
        const winning = mine.find((made) => made.winning);
        if (winning) {
            this.made(found.position, winning, ` It ${leaves(winning)}`);
            return;
        }
        // Taking the fewest coins leaves the opponent the most ways to err.
        const slow = mine.reduce((best, made) => made.from - made.to < best.from - best.to ? made : best);
        this.made(found.position, slow, " No move wins, so it takes as little as it can.");
    }
}

/** Says why a move wins. @param {Answer} made */
function leaves(made) {
    if (!made.reason) {
        return `leaves ${made.option} of ${made.grundy === null ? `class ${made.outcome}` : "value 0"}: ` +
            "every move from there has an answer.";
    }
    const theorem = claim(made.reason.claim);
    return `leaves ${made.option}: ${made.reason.with}, which is lost for who is to move ` +
        `(${theorem ? `${theorem.paper.split(",")[0]}, ${theorem.title}; ` : ""}${made.reason.claim}).`;
}
