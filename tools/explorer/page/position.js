// A position: its value, where each move leads, and a game from there.

import { choice, el, labelled, problem, say } from "./dom.js";
import { claim, said } from "./claims.js";
import { Cancelled, Engine } from "./engine.js";
import { address, game as named, MOST_ADDRESS, names } from "./games.js";
import { Builder, row } from "./piles.js";
import { Play } from "./play.js";
import { Trail } from "./trail.js";

/** Example positions, by what the game remembers. */
const EXAMPLES = { nothing: "2,3,4", "last-move": "20,20/3", moves: "8{1,3,4}" };

/** The most moves shown. */
const MOST_ROWS = 400;

/** Milliseconds after an edit until the page goes there: of ten key presses only the last counts. */
const PAUSE = 150;

/** @type {import("./main.js").View} */
export function position(main, parts) {
    const view = new PositionView(main);
    view.show(parts);
    return { end: () => view.end(), move: (parts) => view.show(parts) };
}

class PositionView {
    engine = new Engine();
    /** @type {import("./engine.js").Answer | null} */
    found = null;
    seconds = 0;
    game = "end-nim";
    text = "";
    /** An edited position that the page has not gone to yet. @type {string | null} */
    built = null;
    /** True if the builder has the piles of the position as the user edited them. */
    own = false;
    #timer = 0;
    /** The option of the move under the pointer. */
    preview = el("div", { class: "preview", id: "preview" });
    body = el("div", { id: "position" });
    trail = new Trail();
    builder = new Builder((piles) => this.build(piles));
    play = new Play({
        where: () => {
            this.flush();
            return this.text;
        },
        go: (text) => this.#played(text),
        again: () => {
            this.trail.mark(this.play.place);
            this.draw();
        },
    });

    /** @param {HTMLElement} main */
    constructor(main) {
        this.field = el("input", {
            id: "text", type: "text", autocomplete: "off", spellcheck: "false", maxlength: 4000,
            inputmode: "text",
        });
        this.select = choice(names(), this.game, (id) => {
            this.#asked(id, EXAMPLES[named(id)?.remembers ?? "nothing"]);
        }, "game");
        this.undo = el("button", { type: "button", id: "undo", onclick: () => {
            this.flush();
            this.trail.back(this.play.back);
        } }, "Undo");
        this.builder.line.hidden = true;
        main.append(
            el("h2", {}, "A position"),
            el("form", {
                class: "bar",
                onsubmit: (/** @type {Event} */ event) => {
                    event.preventDefault();
                    this.#asked(this.game, this.field.value.trim());
                },
            }, labelled("Game", this.select), labelled("Position", this.field),
            el("button", { id: "go" }, "Show"), this.undo),
            this.play.bar, this.builder.line, this.body);
    }

    end() {
        clearTimeout(this.#timer);
        this.play.end();
        this.engine.end();
    }

    /**
     * Goes to a position that the user chose; elsewhere, a new game begins.
     * @param {string} game
     * @param {string} text
     */
    #asked(game, text) {
        const wanted = address("position", game, text);
        if (wanted.length > MOST_ADDRESS) {
            // The address is refused and visible, like that of a link.
            location.hash = wanted;
            return;
        }
        if (location.hash !== wanted) this.trail.push(wanted);
        this.show([game, text]);
    }

    /** Shows the position after a move of the game. @param {string} text */
    #played(text) {
        const wanted = address("position", this.game, text);
        if (location.hash !== wanted) this.trail.push(wanted, this.play.place);
        this.show([this.game, text]);
    }

    /**
     * Shows the edited piles as the position, a moment after the last change.
     * @param {number[]} piles
     */
    build(piles) {
        // The memory of the game follows the piles and stays as written.
        this.built = piles.join(",") + (/[/{].*$/.exec(this.text)?.[0] ?? "");
        this.field.value = this.built;
        this.body.setAttribute("aria-busy", "true");
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.flush(), PAUSE);
    }

    /** Goes to the edited position, if any. */
    flush() {
        clearTimeout(this.#timer);
        const { built } = this;
        this.built = null;
        if (built === null) return;
        this.own = true;
        const wanted = address("position", this.game, built);
        if (location.hash !== wanted) this.trail.push(wanted, { game: 0, step: 0 });
        this.#shows(this.game, built);
    }

    /** @param {string[]} parts */
    show([game = "end-nim", ...rest]) {
        clearTimeout(this.#timer);
        this.built = null;
        this.own = false;
        // The last move follows a slash, which need not be encoded.
        this.#shows(game, rest.join("/"));
        return true;
    }

    /** @param {string} game @param {string} text */
    #shows(game, text) {
        this.game = game;
        this.text = text;
        // The previous answer is about another position.
        this.found = null;
        this.play.arrive(this.trail.arrive(), text);
        this.trail.mark(this.play.place);
        this.undo.disabled = !this.trail.may(this.play.back);
        this.field.value = text;
        this.select.value = game;
        document.title = `${text} in ${game} · Grundy explorer`;
        this.ask();
    }

    async ask() {
        this.body.setAttribute("aria-busy", "true");
        const { text } = this;
        // The previous position does not stay visible for long.
        const waiting = window.setTimeout(() => {
            if (text !== this.text) return;
            this.found = null;
            this.builder.line.hidden ||= !this.own;
            this.body.replaceChildren(el("p", { class: "note" }, `Computing ${text}…`));
        }, 250);
        try {
            const { answer, seconds } = await this.engine.ask(
                { ask: "position", game: this.game, position: this.text });
            clearTimeout(waiting);
            this.found = answer;
            this.seconds = seconds;
            this.draw();
        } catch (error) {
            clearTimeout(waiting);
            if (error instanceof Cancelled) return;
            this.found = null;
            // The edited piles stay, so that the user can change them.
            this.builder.line.hidden = !this.own || this.play.on;
            this.body.replaceChildren(problem(error instanceof Error ? error.message : String(error)));
        }
        if (this.built === null) this.body.removeAttribute("aria-busy");
    }

    draw() {
        const { found, seconds } = this;
        if (!found) return;
        const game = named(this.game);
        const hidden = this.play.hides();
        const value = found.grundy === null ? found.outcome : String(found.grundy);
        this.undo.disabled = !this.trail.may(this.play.back);
        this.builder.line.hidden = this.play.on;
        // Piles that are being edited stay in place.
        if (!this.own && this.built === null) this.builder.show(found.piles);
        const source = found.beyond ? found.source :
            `${found.source} in ${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`;
        const facts = el("dl", { class: "facts" },
            ...fact("Position", found.position, "shown"),
            ...(hidden ? [] : [
                ...(found.grundy === null ? [] : fact("Grundy value", value, "value")),
                ...fact("Outcome", `${found.outcome}: ${OUTCOMES[found.outcome] ?? ""}`, "outcome"),
                ...(found.convention ? fact("Convention", found.convention, "convention") : []),
                ...fact("Source", source, "source"),
            ]));
        this.body.replaceChildren(...[
            this.play.on ? row(found.piles) : null, facts,
            found.beyond && !hidden ? el("p", { id: "beyond", class: "note" },
                `The value is not known here, and who wins is: ${found.beyond}`) : null,
            hidden || !found.reason ? null : reason("Why", found.position, found.outcome, found.reason),
            this.play.on ? this.play.turn(found, game) : null,
            this.moves(found, hidden)].filter((node) => node !== null));
        this.preview.replaceChildren();
        say(hidden ? `${found.position}` : `${found.position}: value ${value}`);
    }

    /**
     * @param {import("./engine.js").Answer} found
     * @param {boolean} hidden
     */
    moves(found, hidden) {
        if (found.unlisted) return el("p", { class: "note" }, found.unlisted);
        /** @type {import("./engine.js").Answer[]} */
        const all = found.moves;
        if (all.length === 0) {
            const lost = named(this.game)?.lost_without_moves ?? true;
            return el("p", { id: "over" },
                `No moves: the player to move has ${lost ? "lost" : "won"}.`);
        }
        const mine = all.filter((made) => this.play.may(made));
        const body = el("tbody");
        for (const made of mine.slice(0, MOST_ROWS)) body.append(this.line(made, hidden));
        const won = mine.filter((made) => made.winning).length;
        return el("section", {},
            el("h3", {}, "Moves"),
            el("p", { class: "note" }, hidden ? `${mine.length} moves.` :
                `${mine.length} moves, ${won} of them ${won === 1 ? "wins" : "win"}.` +
                (mine.length > MOST_ROWS ? ` The first ${MOST_ROWS} are listed.` : "")),
            el("div", { class: "options" }, el("table", { id: "moves" },
                el("thead", {}, el("tr", {}, ...["On", "Coins", "Leads to", ...(hidden ? [] : ["Value", ""])]
                    .map((text) => el("th", { scope: "col" }, text || el("span", { class: "away" }, "Wins"))))),
                body), this.preview));
    }

    /**
     * @param {import("./engine.js").Answer} made
     * @param {boolean} hidden
     */
    line(made, hidden) {
        const on = made.player ?? made.end ?? "pile";
        const coins = made.right_from === undefined ? `${made.from} → ${made.to}` :
            `${made.from} → ${made.to}, ${made.right_from} → ${made.right_to}`;
        const marked = made.winning && (!hidden || this.play.hinted);
        const link = el("a", {
            href: address("position", this.game, made.option),
            onclick: (/** @type {Event} */ event) => {
                if (!this.play.on) return;
                event.preventDefault();
                // The preview may be that of another move.
                if (!this.play.mine || this.body.hasAttribute("aria-busy")) return;
                this.play.made(String(this.found?.position), made);
            },
        }, made.option);
        const look = () => this.look(made, hidden);
        return el("tr", { class: marked ? "winning" : "", onmouseenter: look, onfocusin: look },
            el("td", {}, on), el("td", {}, coins), el("td", {}, link),
            ...(hidden ? [] : [
                el("td", { class: "number" }, String(made.grundy ?? made.outcome)),
                el("td", {}, made.winning ? "wins" : ""),
            ]));
    }

    /**
     * @param {import("./engine.js").Answer} made
     * @param {boolean} hidden
     */
    look(made, hidden) {
        const piles = (made.option.replace(/[/{].*$/, "").match(/\d+/g) ?? []).map(Number);
        this.preview.replaceChildren(
            el("p", {}, `After this move: ${made.option}` +
                (hidden ? "" : `, ${made.grundy === null ? made.outcome : `value ${made.grundy}`}`)),
            row(piles),
            ...(made.reason && !hidden ? [reason("Why it wins", made.option, made.outcome, made.reason)] : []));
    }
}

/** @type {Record<string, string>} */
const OUTCOMES = {
    P: "who has just moved wins", N: "who is to move wins", L: "Left wins", R: "Right wins",
};

/**
 * @param {string} name
 * @param {string} text
 * @param {string} id
 */
function fact(name, text, id) {
    return [el("dt", {}, name), el("dd", { id }, text)];
}

/**
 * Shows the theorem that decides a position, and its numbers.
 * @param {string} title
 * @param {string} position
 * @param {string} outcome
 * @param {{ claim: string, with: string }} because
 */
function reason(title, position, outcome, because) {
    const theorem = claim(because.claim);
    return el("p", { class: "reason" }, `${title}: ${position}: ${because.with}; so who is to move ` +
        `${outcome === "P" ? "loses" : "wins"}, by `, el("a", { href: address("claims", because.claim) }, because.claim),
    theorem ? ` (${theorem.paper.split(",")[0]}, ${theorem.title}): ${said(theorem)}` : ".");
}
