// Shows a position and its value, and each move with the position to which it leads.

import { powers } from "./asked.js";
import { choice, el, labelled, problem, say, soon } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, called, changed, counted, entered, example, game as named, listed, MOST_ADDRESS, names, rules } from "./games.js";
import { Board, shape } from "./board.js";
import { Builder } from "./piles.js";
import { Others } from "./others.js";
import { reason } from "./reason.js";
import { engine as answers, followed, strategy } from "./strategy.js";
import { Trail } from "./trail.js";
import { form, viewed } from "./view.js";

/** Maximum number of moves shown. Winning moves are always shown. */
const MOST_ROWS = 400;

/** Milliseconds from an edit until the page goes to the position. Of several quick edits only the last counts. */
const PAUSE = 150;

/** The notation of positions with a memory, by what the game remembers. @type {Record<string, string>} */
const NOTATION = { "last-move": " In 20,20/3 the last move took 3 coins.", moves: " In 8{1,3,4} only the moves 1, 3 and 4 are left." };

class PositionView {
    engine = new Engine();
    /** @type {import("./engine.js").Answer | null} */
    found = null;
    game = "end-nim";
    text = "";
    /** An edited position to which the page has not gone yet. @type {string | null} */
    built = null;
    /** True if the builder already shows the piles of this position, because the user edited them there. */
    own = false;
    #timer = 0;
    /** True if the keyboard focus was on a link of the replaced position. */
    #lost = false;
    /** Counts explanations. An earlier one is dropped. */
    #explained = 0;
    body = el("div", { id: "position", tabindex: -1 });
    /** The moves, below the values in other games. */
    list = el("div", {});
    trail = new Trail();
    builder = new Builder((piles, pause) => this.build(piles, pause));
    /** The board, on which a touch makes a move. */
    board = new Board((made) => this.#asked(this.game, made.option));

    /** @param {HTMLElement} main */
    constructor(main) {
        this.field = el("input", {
            id: "text", type: "text", autocomplete: "off", spellcheck: "false", maxlength: 4000,
            inputmode: "text",
        });
        this.select = listed(names(), this.game, (id) => this.#asked(id, example(id)));
        this.undo = el("button", { type: "button", id: "undo", onclick: () => {
            this.flush();
            this.trail.back();
        } }, "Undo");
        this.builder.line.hidden = true;
        this.rule = el("p", { id: "rule" });
        this.others = new Others();
        this.how = el("div");
        this.mover = choice([["Left", "Left"], ["Right", "Right"]], "Left", (player) => {
            followed.player = player;
            history.replaceState({ ...history.state, player }, "");
            this.explain();
        }, "mover");
        this.movers = labelled("Who moves first", this.mover);
        this.strategy = el("details", { id: "strategy", open: followed.open, ontoggle: () => {
            followed.open = this.strategy.open;
            this.explain();
        } }, el("summary", {}, "The strategy: what to take, and an answer to each move"), this.movers, this.how);
        this.playing = el("a", { id: "playing", class: "button" }, "Play from here");
        this.edit = el("details", { id: "edit" }, el("summary", {}, "Change the piles"), this.builder.line);
        main.append(
            el("h2", {}, "A position"),
            form(async () => {
                const { game, piles } = await entered(this.field.value.trim());
                if (this.field.isConnected) this.#asked(game || this.game, powers(piles));
            }, "Show", labelled("Game", this.select), labelled("Position", this.field)),
            el("div", { class: "bar" }, this.undo, this.playing),
            el("div", { class: "game" }, el("section", { "aria-label": "The board" }, this.edit, this.board.line, this.board.choices, this.board.both, this.rule), this.body),
            this.others.whole, this.list);
    }

    end() {
        clearTimeout(this.#timer);
        this.engine.end();
        this.others.end();
        answers.end();
    }

    /**
     * Goes to a position that the user chose.
     * @param {string} game
     * @param {string} text
     */
    #asked(game, text) {
        const wanted = address("position", game, text);
        if (wanted.length > MOST_ADDRESS) {
            // Go to the invalid address, so that the page shows its error, as after a click on a link.
            location.hash = wanted;
            return;
        }
        if (location.hash !== wanted) this.trail.push(wanted);
        this.show([game, text]);
    }

    /**
     * Shows the edited piles as the position, a moment after the last change.
     * @param {number[]} piles
     * @param {number} [pause] milliseconds
     */
    build(piles, pause = PAUSE) {
        // Keep the last move or the set of moves, which follows the piles.
        this.built = piles.join(",") + (/[/{].*$/.exec(this.text)?.[0] ?? "");
        this.field.value = this.built;
        this.playing.href = address("play", this.game, "first", this.built);
        this.body.setAttribute("aria-busy", "true");
        // The links belong to the position before.
        this.body.inert = this.list.inert = true;
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.flush(), pause);
    }

    /** Goes to the edited position, if any. */
    flush() {
        clearTimeout(this.#timer);
        const { built } = this;
        this.built = null;
        if (built === null) return;
        this.own = true;
        const wanted = address("position", this.game, built);
        if (location.hash !== wanted) this.trail.push(wanted);
        this.#shows(this.game, built);
    }

    /** @param {string[]} parts */
    show([game = "end-nim", ...rest]) {
        clearTimeout(this.#timer);
        this.built = null;
        this.own = false;
        // The last move follows a slash, which need not be encoded.
        this.#shows(game, rest.length > 0 ? powers(rest.join("/")) : example(game));
        return true;
    }

    /** @param {string} game @param {string} text */
    #shows(game, text) {
        this.game = game;
        this.text = text;
        // Forget the previous answer, which is about another position.
        this.found = null;
        this.builder.zeros = named(game)?.kind === "places";
        this.others.about(game, text);
        this.trail.arrive();
        // Back also restores the player who was to move in the earlier position.
        const { player = followed.player } = history.state;
        followed.player = player;
        history.replaceState({ ...history.state, player }, "");
        this.undo.disabled = !this.trail.may;
        this.rule.textContent = `${rules(game)} ★ wins, × loses.` + (NOTATION[named(game)?.remembers ?? ""] ?? "");
        this.playing.href = address("play", game, "first", text);
        this.field.value = text;
        this.select.value = game;
        document.title = `${text} in ${called(game)} · Grundy explorer`;
        this.ask();
    }

    /** Returns the position as a picture. @returns {import("./save.js").Saves | null} */
    saves() {
        const { found } = this;
        return found && { piles: found.piles, caption: [`${named(this.game)?.title}: ${found.position}, ` +
            `${found.grundy === null ? found.outcome : `value ${found.grundy}`}. Computed by Grundy.`], name: [this.game, found.position] };
    }

    /** Removes the previous position. The edited piles stay visible, so that the user can change them. */
    #empty() {
        this.found = null;
        this.board.clear();
        this.list.replaceChildren();
        this.list.inert = false;
        this.builder.line.hidden = !this.own;
    }

    async ask() {
        this.body.inert = false;
        this.#lost ||= [this.body, this.list].some((part) => part.contains(document.activeElement));
        this.body.setAttribute("aria-busy", "true");
        // If the answer takes long, remove the previous position.
        const waited = soon(this.body, `Computing ${this.text}`, () => {
            this.engine.cancel();
            this.body.removeAttribute("aria-busy");
        }, () => this.#empty());
        try {
            const { answer } = await this.engine.ask({ ask: "position", game: this.game, position: this.text });
            this.found = answer;
            this.draw();
        } catch (error) {
            if (error instanceof Cancelled) return;
            this.#empty();
            this.others.whole.hidden = true;
            const text = error instanceof Error ? error.message : String(error);
            // The later lines quote the rule file, which only the author of a typed game knows.
            this.body.replaceChildren(problem(this.game.startsWith("~") ? text : text.split("\n")[0]));
        } finally {
            waited();
        }
        if (this.built === null) this.body.removeAttribute("aria-busy");
    }

    draw() {
        const { found } = this;
        this.others.whole.hidden = false;
        if (!found) return;
        const value = found.grundy === null ? found.outcome : String(found.grundy);
        this.undo.disabled = !this.trail.may;
        this.builder.line.hidden = false;
        // Piles that are being edited stay in place.
        if (!this.own && this.built === null) this.builder.show(found.piles);
        this.touch(found);
        const other = found.misere_grundy;
        const facts = el("dl", { class: "facts" },
            ...fact("Position", found.position, "shown"),
            ...(found.grundy === null ? [] : fact("Grundy value", value, "value")),
            ...fact("Outcome", `${found.outcome}: ${OUTCOMES[found.outcome] ?? ""}`, "outcome"),
            ...(found.convention ? fact("Convention", named(this.game)?.convention ?? "", "convention") : []),
            ...(other === undefined ? [] : fact("Other convention",
                `value ${other}, if the position without coins has the value 1`, "other")),
            ...fact("Source", found.source, "source"));
        const why = el("div", { id: "reason" });
        this.body.replaceChildren(...[
            facts,
            found.beyond ? el("p", { id: "beyond", class: "note" },
                `The page cannot compute the value, but it knows who wins: ${found.beyond}`) : null,
            why, found.moves?.length === 0 ? null : this.strategy].filter((node) => node !== null));
        this.list.replaceChildren(this.moves(found));
        this.list.inert = false;
        if (found.reason) reason(found.position, found.outcome, found.reason, "Why").then((said) => why.replaceChildren(said));
        if (this.#lost && document.activeElement === document.body) this.body.focus({ preventScroll: true });
        this.#lost = false;
        this.explain();
        say(`${found.position}: ${found.grundy === null ? "" : `value ${value}, `}${OUTCOMES[found.outcome] ?? ""}`);
    }

    /** Shows the coins, coloured by what taking them does. @param {import("./engine.js").Answer} found */
    async touch(found) {
        const { kind, row } = named(this.game) ?? {};
        const nim = found.unlisted && found.moves && !row ? await import("./nim.js") : undefined;
        const look = await shape(this.game);
        if (found !== this.found) return;
        this.board.stand(found.piles, look);
        if (kind) this.board.place(found.piles, kind === "row" || kind === "places");
        else this.board.replay(found.piles, [], Boolean(row));
        this.board.draw(found.unlisted && !nim ? [] : found.moves ?? [], { hint: 0, colours: true, nim });
    }

    /** Shows the strategy, if the user has opened that part of the page. */
    async explain() {
        const { found, game } = this;
        answers.cancel();
        const number = ++this.#explained;
        this.how.replaceChildren();
        this.movers.hidden = named(game)?.impartial !== false;
        this.mover.value = followed.player;
        if (!this.strategy.open || !found || found.moves?.length === 0) return;
        if (!found.moves) {
            this.how.replaceChildren(el("p", { class: "note" }, found.unlisted));
            return;
        }
        /** @type {import("./engine.js").Answer[]} */
        const moves = found.moves;
        const waited = soon(this.how, "Computing the answers", () => answers.cancel());
        const shown = await strategy(game, found, moves.filter((made) => made.player === undefined || made.player === followed.player));
        waited();
        if (number === this.#explained) this.how.replaceChildren(...shown);
    }

    /** @param {import("./engine.js").Answer} found */
    moves(found) {
        if (found.unlisted) {
            const note = el("p", { class: "note", id: "unlisted" }, found.unlisted);
            if (found.moves && found.outcome === "N") {
                note.append("; these win: ", ...found.moves.flatMap((/** @type {import("./engine.js").Answer} */ { from, to, option }) =>
                    [`${from} → ${to}, to `, el("a", { href: address("position", this.game, option) }, option), ". "]));
            }
            return note;
        }
        /** @type {import("./engine.js").Answer[]} */
        const all = found.moves;
        if (all.length === 0) {
            const lost = named(this.game)?.lost_without_moves ?? true;
            return el("p", { id: "over" },
                `No moves: the player to move has ${lost ? "lost" : "won"}.`);
        }
        const winning = all.filter((made) => made.winning);
        const others = all.filter((made) => !made.winning);
        const shown = [...winning, ...others.slice(0, Math.max(MOST_ROWS - winning.length, 0))];
        const body = el("tbody");
        for (const made of shown) body.append(this.line(made));
        const won = winning.length;
        return el("section", {},
            el("h3", {}, "Moves"),
            el("p", { class: "note", id: "counted" }, `${counted(all.length, "move")}; ` +
                `${won === 0 ? "none wins" : won === 1 ? "1 wins" : `${won} win`}.` +
                (all.length > shown.length ? ` ${shown.length} are listed, those that win first.` : "")),
            el("div", { class: "wide", tabindex: 0 }, el("table", { id: "moves" },
                el("thead", {}, el("tr", {}, ...["On", "Coins", "Leads to", found.grundy === null ? "Class" : "Value", ...(found.remoteness === undefined ? [] : ["To the end"]), ""]
                    .map((text) => el("th", { scope: "col" }, text || el("span", { class: "away" }, "Wins"))))),
                body)));
    }

    /** @param {import("./engine.js").Answer} made */
    line(made) {
        const several = made.changes?.map((/** @type {import("./engine.js").Answer} */ change) => change.pile).join(" and ");
        const on = made.player ?? made.end ?? (several ? `pile ${several}` : "pile");
        const coins = several ? changed(made) : made.right_from === undefined ? `${made.from} → ${made.to}` :
            `${made.from} → ${made.to}, ${made.right_from} → ${made.right_to}`;
        const look = () => this.board.show(made);
        return el("tr", { class: made.winning ? "winning" : "", onmouseenter: look, onfocusin: look },
            el("td", {}, on), el("td", {}, coins),
            el("td", {}, el("a", { href: address("position", this.game, made.option) }, made.option)),
            el("td", { class: "number" }, String(made.grundy ?? made.outcome)),
            made.remoteness !== undefined && el("td", { class: "number" }, String(made.remoteness + 1)),
            el("td", {}, made.winning ? "wins" : ""));
    }
}

/** @type {Record<string, string>} */
const OUTCOMES = {
    P: "the player who has just moved wins", N: "the player to move wins", L: "Left wins", R: "Right wins",
};

/**
 * @param {string} name
 * @param {string} text
 * @param {string} id
 */
function fact(name, text, id) {
    return [el("dt", {}, name), el("dd", { id }, text)];
}

export const position = viewed(PositionView);
