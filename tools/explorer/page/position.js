// A position: its value, where each move leads, and a game from there.

import { choice, el, labelled, problem, say } from "./dom.js";
import { claim, said } from "./claims.js";
import { Cancelled, Engine } from "./engine.js";
import { address, game as named, names } from "./games.js";
import { row } from "./piles.js";
import { Play } from "./play.js";

/** What a position may be, to begin with. */
const EXAMPLES = { nothing: "2,3,4", "last-move": "20,20/3", moves: "8{1,3,4}" };

/** Moves that are shown at once. */
const MOST_ROWS = 400;

/** @type {import("./main.js").View} */
export function position(main, parts) {
    const view = new PositionView(main);
    view.show(parts);
    const end = () => {
        view.play.end();
        view.engine.end();
    };
    return { end, move: (parts) => view.show(parts) };
}

class PositionView {
    engine = new Engine();
    /** @type {import("./engine.js").Answer | null} */
    found = null;
    game = "end-nim";
    text = "";
    /** The option that would be reached by the move that is pointed at. */
    preview = el("div", { class: "preview", id: "preview" });
    body = el("div", { id: "position" });
    play = new Play((text) => this.go(text));
    /** @type {string | null} which pile has the keyboard after a change */
    focused = null;

    /** @param {HTMLElement} main */
    constructor(main) {
        this.field = el("input", {
            id: "text", type: "text", autocomplete: "off", spellcheck: "false", maxlength: 4000,
            inputmode: "text",
        });
        this.select = choice(names(), this.game, (id) => {
            location.hash = address("position", id, EXAMPLES[named(id)?.remembers ?? "nothing"]);
        }, "game");
        this.undo = el("button", { type: "button", id: "undo", onclick: () => history.go(-this.play.back) }, "Undo");
        main.append(
            el("h2", {}, "A position"),
            el("form", {
                class: "bar",
                onsubmit: (/** @type {Event} */ event) => {
                    event.preventDefault();
                    this.go(this.field.value.trim());
                },
            }, labelled("Game", this.select), labelled("Position", this.field),
            el("button", { id: "go" }, "Show"), this.undo),
            this.play.bar, this.body);
    }

    /** @param {string} text */
    go(text) {
        const wanted = address("position", this.game, text);
        if (location.hash === wanted) this.show([this.game, text]);
        else location.hash = wanted;
    }

    /** @param {string[]} parts */
    show([game = "end-nim", ...rest]) {
        // The last move stands behind a slash, which need not be encoded.
        const text = rest.join("/");
        this.game = game;
        this.text = text;
        this.play.take(text);
        this.field.value = text;
        this.select.value = game;
        document.title = `${text} in ${game} · Grundy explorer`;
        this.ask();
        return true;
    }

    async ask() {
        this.body.setAttribute("aria-busy", "true");
        const text = this.text;
        // What is seen for long is not the position before.
        const waiting = window.setTimeout(() => {
            if (text === this.text) this.body.replaceChildren(el("p", { class: "note" }, `Computing ${text}…`));
        }, 250);
        try {
            const { answer, seconds } = await this.engine.ask(
                { ask: "position", game: this.game, position: this.text });
            clearTimeout(waiting);
            this.found = answer;
            this.draw(seconds);
        } catch (error) {
            clearTimeout(waiting);
            if (error instanceof Cancelled) return;
            this.found = null;
            this.body.replaceChildren(problem(error instanceof Error ? error.message : String(error)));
        }
        this.body.removeAttribute("aria-busy");
    }

    /** What a game remembers, as it is written behind the piles. */
    memory() {
        const text = String(this.found?.position ?? "");
        return /[/{].*$/.exec(text)?.[0] ?? "";
    }

    /** @param {number} seconds */
    draw(seconds) {
        const found = /** @type {import("./engine.js").Answer} */ (this.found);
        const game = named(this.game);
        const hidden = this.play.hides();
        const value = found.grundy === null ? found.outcome : String(found.grundy);
        const focus = document.activeElement?.getAttribute("data-pile");
        const piles = row(found.piles, this.play.on ? null : (piles) => {
            // Of a set of moves that is left, the numbers above the piles would be none.
            const memory = game?.remembers === "last-move" ? this.memory() : "";
            this.go(piles.join(",") + memory);
        });
        const source = `${found.source} in ${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`;
        const facts = el("dl", { class: "facts" },
            ...fact("Position", found.position, "shown"),
            ...(hidden ? [] : [
                ...(found.grundy === null ? [] : fact("Grundy value", value, "value")),
                ...fact("Outcome", `${found.outcome}: ${OUTCOMES[found.outcome] ?? ""}`, "outcome"),
                ...fact("Source", source, "source"),
            ]));
        this.body.replaceChildren(...[piles, facts,
            ...(hidden || !found.reason ? [] : [reason("Why", found.reason)]),
            this.play.on ? this.play.turn(found, game) : null,
            this.moves(found, hidden)].filter((node) => node !== null));
        this.preview.replaceChildren();
        if (focus) {
            /** @type {HTMLElement | null} */
            (this.body.querySelector(`[data-pile="${focus}"]`))?.focus();
        }
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
                // What is shown may be of the move before.
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
            row(piles, null),
            ...(made.reason && !hidden ? [reason("Why it wins", made.reason)] : []));
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
 * A theorem that says so.
 * @param {string} title
 * @param {string} id
 */
function reason(title, id) {
    const theorem = claim(id);
    return el("p", { class: "reason" }, `${title}: `, el("a", { href: address("claims", id) }, id),
        theorem ? ` (${theorem.paper.split(",")[0]}, ${theorem.title}): ${said(theorem)}` : "");
}
