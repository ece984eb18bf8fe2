// Draws piles as large coins. A coin is a button for the moves that take this coin.
// Emptied piles keep their places, and the board keeps its height.

import { read } from "./asked.js";
import { counter, el, grouped } from "./dom.js";
import { counted, game as named, sum } from "./games.js";

/** @typedef {import("./engine.js").Answer} Answer */

/** Maximum number of coins drawn one by one. A larger pile has a field for the number of coins to leave. */
const MOST_DRAWN = 16;

/** Maximum number of moves offered when several moves take the touched coin. */
const MOST_CHOICES = 36;

/** The height of a board for tall piles begins with this number of coins. */
const TALL = 8;

/** The heights of the largest bar and of the smallest, in rem. */
const [HIGH, LOW] = [14, 3];

/**
 * Marks that show the moves: `hint` 1 marks the piles with winning moves, 2 the coins that win; `colours` shows
 * for each coin whether taking it wins, and after how many moves the game ends.
 * @typedef {{ hint: number, colours?: boolean, nim?: typeof import("./nim.js"), switched?: boolean }} Shows
 */

/** True if the user wants no motion. */
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Returns how the board of a game looks, if it does not consist of piles. @param {string} id */
export async function shape(id) {
    const look = named(id)?.board;
    return look ? (await import("./shapes.js")).SHAPES[look] : undefined;
}

export class Board {
    /** The coins of each pile, in order; 0 for an empty pile. @type {number[]} */
    #piles = [];
    #row = true;
    /** The legal moves. @type {Answer[]} */
    #moves = [];
    /** @type {Shows} */
    #shows = { hint: 0 };
    /** The number of coins for which the board has room above each other. */
    #rows = 1;
    /** The module of Nim if the piles are too large to list all moves. @type {typeof import("./nim.js") | undefined} */
    #nim;
    /** How the board looks, if it does not consist of piles. @type {import("./shapes.js").Shape | undefined} */
    #shape;
    /** The largest pile of the first position. */
    #most = 1;
    /** True if the last action on the board came from the keyboard. A focused coin looks like a hint. */
    #keys = true;
    line = el("div", { class: "board", id: "board", role: "group", tabindex: -1, "aria-label": "Piles, from left to right; arrow keys move among the coins",
        onkeydown: () => { this.#keys = true; }, onpointerdown: () => { this.#keys = false; } });
    #switch = el("input", { type: "checkbox", id: "both", onchange: () => this.draw(this.#moves, { ...this.#shows, switched: true }) });
    both = el("label", { class: "check", hidden: true }, this.#switch, " equally many from both ends");
    /** Moves that take the touched coin, if there are several. */
    choices = el("div", { class: "bar", id: "choices", role: "group", "aria-label": "Moves that take this coin" });

    /** @param {(made: Answer) => void} take called with each chosen move */
    constructor(take) {
        this.take = take;
    }

    /** True if the board has the keyboard focus. */
    get focused() {
        return this.line.contains(document.activeElement);
    }

    /** Moves the keyboard focus to a coin that wins, to the first coin that may be taken, or to the board. */
    focus() {
        const coin = this.#keys && (this.line.querySelector(".wins") ?? this.line.querySelector("button:not(:disabled)"));
        /** @type {HTMLElement} */ (coin || this.line).focus();
    }

    clear() {
        this.#rows = 1;
        this.line.replaceChildren();
        this.choices.replaceChildren();
        this.both.hidden = true;
    }

    /**
     * Makes room for the piles of a game, so that the board stays as high as in its first position.
     * @param {number[]} piles
     * @param {import("./shapes.js").Shape} [shape]
     */
    stand(piles, shape) {
        this.#most = Math.max(...piles, 1);
        this.#shape = shape && this.#most <= shape.most ? shape : undefined;
        this.line.dataset.shape = this.#shape?.name ?? "piles";
        this.#rows = Math.min(Math.max(...piles, 1), MOST_DRAWN);
        this.line.classList.toggle("tall", this.#rows >= TALL);
        this.line.style.setProperty("--rows", String(this.#rows));
    }

    /** Sets the piles for a game of a rule file, in which moves name piles by number. @param {number[]} piles @param {boolean} row */
    place(piles, row) {
        this.#piles = [...piles];
        this.#row = row;
    }

    /**
     * Sets the piles to those after some moves.
     * @param {number[]} piles
     * @param {(Answer | undefined)[]} moves
     * @param {boolean} row true if the piles stand in a row
     */
    replay(piles, moves, row) {
        this.place(piles, row);
        for (const made of moves) {
            if (!made) continue;
            const left = this.#left(made);
            this.#piles = this.#piles.map((pile, at) => left.get(at) ?? pile);
        }
    }

    /** Returns the coins left in each pile that a move changes, by index. @param {Answer} made @returns {Map<number, number>} */
    #left(made) {
        if (made.changes) return new Map(made.changes.map((/** @type {Answer} */ { pile, to }) => [pile - 1, sum(to)]));
        const there = this.#places();
        const [first, last] = [there[0], there[there.length - 1]];
        if (made.right_from !== undefined) return new Map([[first, made.to], [last, made.right_to]]);
        if (!this.#row) {
            const at = this.#piles[made.at] === made.from ? made.at : this.#piles.indexOf(made.from);
            return new Map([[at, made.to]]);
        }
        const right = made.end === "right" || made.player === "Right";
        return new Map([[right ? last : first, made.to]]);
    }

    /** Returns the indices of the piles that lose coins in a move: others may gain some. @param {Answer} made */
    #less(made) {
        return [...this.#left(made)].flatMap(([at, left]) => left < this.#piles[at] ? [at] : []);
    }

    /** The indices of the piles that are not empty. */
    #places() {
        return this.#piles.flatMap((pile, at) => pile > 0 ? [at] : []);
    }

    get #isStrip() {
        return this.#shape?.name === "strip";
    }

    /** Returns a text that says what a move does. @param {Answer} made @param {"take" | "takes" | "took"} [verb] */
    says(made, verb = "take") {
        const { pile: place = "pile", unit = "coin" } = this.#shape ?? {};
        if (this.#isStrip) return made.changes.map((/** @type {Answer} */ { from, to }) => `${verb} the coin from ${from} to ${sum(to)}`).join();
        const [{ from: whole = 0, to: split = [] } = {}] = made.changes ?? [];
        if (split.length > 1 && sum(split) === whole) return `${verb === "takes" ? "splits" : "split"} ${whole} into ${split.join(" and ")}`;
        if (made.changes) {
            const changes = [...made.changes].sort((one, other) => Number(sum(one.to) > one.from) - Number(sum(other.to) > other.from));
            return `${verb} ${changes.map((/** @type {Answer} */ { pile, from, to }) => {
                const taken = from - sum(to);
                const name = this.#piles.length === 1 ? `the ${place}` : `${place} ${pile}`;
                if (taken < 0) return `${verb.replace("take", "add").replace("took", "added")} ${counted(-taken, unit)} to ${name}`;
                return (taken > 0 ? `${counted(taken, unit)} from ${name}` : `none from ${name}`) +
                    (to.length > 1 && !to.includes(0) ? `, leaving ${to.join(" and ")}` : "");
            }).join(" and ")}`;
        }
        const there = this.#places();
        const parts = [...this.#left(made)].map(([at, left]) => {
            const name = there.length === 1 ? "the pile" : this.#row ? at === there[0] ? "the first pile" : "the last pile" :
                `a pile of ${grouped(this.#piles[at])}`;
            return `${counted(this.#piles[at] - left, "coin")} from ${name}`;
        });
        return `${verb} ${parts.join(" and ")}`;
    }

    /**
     * Returns how many coins a move leaves in a pile; undefined if touching this pile cannot mean this move.
     * @param {Answer} made @param {number} at @returns {number | undefined}
     */
    #leaves(made, at) {
        const both = this.#switch.checked && !this.both.hidden;
        if (!made.changes && (made.right_from !== undefined) !== both) return undefined;
        if (made.changes && !this.#row) {
            const equal = made.changes.filter((/** @type {Answer} */ { pile }) => this.#piles[pile - 1] === this.#piles[at]);
            const meant = equal.find((/** @type {Answer} */ { pile }) => pile === at + 1) ?? equal[0];
            return meant && sum(meant.to);
        }
        if (!this.#row) return made.from === this.#piles[at] ? made.to : undefined;
        return this.#left(made).get(at);
    }

    /** Finds the moves that leave this many coins in a pile. @param {number} at @param {number} left @returns {Answer[]} */
    #all(at, left) {
        if (this.#shape?.touch) return this.#shape.touch(this.#moves, this.#piles, at, left);
        if (this.#nim) return left < this.#piles[at] ? [this.#nim.leaves(this.#piles, this.#moves, at, left)] : [];
        if (!this.#row && this.#moves[0]?.changes) return this.#moves.flatMap((made) => this.#onto(made, at, left));
        const moves = this.#moves.filter((made) => this.#leaves(made, at) === left);
        if (moves[0]?.changes) return moves;
        // In a multiset a move names a pile only by its size, not by its place on the board.
        return moves.slice(0, 1).map((made) => this.#row ? made : { ...made, at });
    }

    /**
     * Returns a move of a multiset for a touch that leaves some coins in a pile. The move names one of several equal
     * piles, which may then change places with the touched pile.
     * @param {Answer} made @param {number} at @param {number} left @returns {Answer[]}
     */
    #onto(made, at, left) {
        const meant = made.changes.find((/** @type {Answer} */ { pile, to }) => this.#piles[pile - 1] === this.#piles[at] && sum(to) === left);
        if (!meant) return [];
        const places = new Map([[meant.pile, at + 1], [at + 1, meant.pile]]);
        return [{ ...made, changes: made.changes.map((/** @type {Answer} */ one) => ({ ...one, pile: places.get(one.pile) ?? one.pile })) }];
    }

    /** Says how many coins may be left in a pile. @param {number} at */
    #range(at) {
        const pile = this.#piles[at];
        const all = this.#nim ? [0, pile - 1] : [...new Set(this.#moves.flatMap((made) => this.#leaves(made, at) ?? []))]
            .sort((one, other) => one - other);
        const [least, most] = [all[0], all[all.length - 1]];
        if (all.length === 0) return "No move takes coins from this pile.";
        if (!this.#nim && all.length <= most - least) {
            return `Leave one of these numbers: ${all.slice(0, MOST_CHOICES).join(", ")}${all.length > MOST_CHOICES ? ", …" : ""}.`;
        }
        const range = (/** @type {number} */ from, /** @type {number} */ to) => from === to ? counted(to, "coin") : `${grouped(from)} to ${counted(to, "coin")}`;
        return `Leave ${range(least, most)} in this pile.` + (most < pile ? ` That takes ${range(pile - most, pile - least)}.` : "");
    }

    /** Says how the user moves. */
    get advice() {
        if (this.#shape) return this.#shape.advice;
        const bar = this.#piles.some((pile) => pile > MOST_DRAWN);
        const coin = !bar || this.#piles.some((pile) => pile > 0 && pile <= MOST_DRAWN);
        const simple = this.#moves.every((made) => made.right_from === undefined && (made.changes ?? []).length < 2 &&
            (made.changes ?? []).every((/** @type {Answer} */ { to }) => to.length < 2));
        return (!coin ? "" : simple ? "Touch a coin to take it and all coins above it. " :
            "Touch a coin that you want to take; if several moves take it, choose one. ") +
            (bar ? "A bar is a large pile: write below it how many coins to leave, and press Leave. " : "");
    }

    /** Names the piles in which a move wins. @param {Answer[]} winning */
    where(winning) {
        const there = this.#places();
        const name = (/** @type {number} */ at) => there.length === 1 ? "the pile" : !this.#row || winning[0].changes ? `pile ${at + 1}` :
            at === there[0] ? "the first pile" : "the last pile";
        const all = [...new Set(winning.map((made) => this.#less(made).map(name).join(" with ")))];
        return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all[all.length - 1]}` : all[0];
    }

    /** Returns the first coin that a move takes from each pile that it changes, and the one after the last. @param {Answer} made @returns {Map<number, [number, number]>} */
    #gone(made) {
        if (this.#isStrip) return new Map([[0, [sum(made.changes[0].to), sum(made.changes[0].to) + 1]]]);
        const gone = new Map([...this.#left(made)].map(([at, left]) => /** @type {[number, [number, number]]} */ ([at, [left, this.#piles[at]]])));
        for (const { pile, from, to } of made.changes ?? []) if (to.length === 2) gone.set(pile - 1, [to[0], from - to[1]]);
        return gone;
    }

    /** Marks coins. @param {string} mark a class @param {Map<number, [number, number]>} which */
    #mark(mark, which) {
        for (const coin of /** @type {NodeListOf<HTMLElement>} */ (this.line.querySelectorAll(".coin"))) {
            const [from, to] = which.get(Number(coin.dataset.at)) ?? [0, 0];
            coin.classList.toggle(mark, from <= Number(coin.dataset.left) && Number(coin.dataset.left) < to);
        }
    }

    /** Shows which coins a touch would take. @param {Answer[]} moves @param {number} at @param {number} left */
    #light(moves, at, left) {
        this.#mark("lit", moves.length === 1 && !this.#isStrip ? this.#gone(moves[0]) : new Map([[at, [left, this.#shape ? left + 1 : this.#piles[at]]]]));
    }

    /** Makes one of these moves; if there are several, the user chooses. @param {Answer[]} moves */
    #touch(moves) {
        if (moves.length === 1) {
            this.take(moves[0]);
            return;
        }
        this.choices.replaceChildren("Choose: ", ...moves.slice(0, MOST_CHOICES).map((made) => el("button", {
            type: "button", onpointerenter: () => this.#light([made], 0, 0), onfocus: () => this.#light([made], 0, 0), onclick: () => {
                this.line.focus();
                this.take(made);
            },
        }, `${this.#shows.hint > 1 && made.winning ? "★ " : ""}${this.says(made)}`)),
        moves.length > MOST_CHOICES ? "or one of more moves in the list of all moves" : "");
        this.choices.querySelector("button")?.focus();
    }

    /**
     * Draws the piles.
     * @param {Answer[]} moves the legal moves
     * @param {Shows} shows
     */
    draw(moves, shows) {
        // If the piles are too large to list all moves, the module of Nim finds them.
        this.#nim = moves.length > 0 ? shows.nim : undefined;
        const focused = this.focused;
        const before = Number(document.activeElement?.getAttribute("data-at") ?? 0);
        this.choices.replaceChildren();
        this.#moves = moves;
        this.#shows = shows;
        const won = moves.filter((made) => made.winning);
        const ends = won.filter((made) => made.right_from !== undefined);
        // If all winning moves are of one kind, choose this kind, so that the hint can mark coins.
        if (!shows.switched && shows.hint > 1 && won.length > 0 && [0, won.length].includes(ends.length)) {
            this.#switch.checked = ends.length > 0;
        }
        this.both.hidden = !moves.some((made) => made.right_from !== undefined);
        const good = new Set(shows.hint > 0 ? won.flatMap((made) => this.#less(made)) : []);
        this.line.classList.toggle("mine", moves.length > 0);
        const drawn = [.../** @type {NodeListOf<HTMLElement>} */ (this.line.querySelectorAll(".stack"))].map((stack) => stack.querySelectorAll(".coin:not(.bar)").length);
        // A strip is one row of squares, and the piles say where its coins are.
        this.line.replaceChildren(...(this.#isStrip ? [this.#most + 1] : this.#piles).map((places, at) => this.#pile(places, at, good.has(at))));
        if (!this.#shape) this.#leave(drawn);
        if (!focused) return;
        // The keyboard focus stays on the board, at the nearest pile.
        const coins = /** @type {HTMLElement[]} */ (this.#keys ? [...this.line.querySelectorAll("button:not(:disabled)")].reverse() : []);
        const near = (/** @type {HTMLElement} */ coin) => Math.abs(Number(coin.dataset.at) - before);
        (coins.sort((one, other) => near(one) - near(other))[0] ?? this.line).focus();
    }

    /** Lets the taken coins fly away. @param {number[]} before the coins that each pile had */
    #leave(before) {
        if (still.matches || before.length !== this.#piles.length) return;
        this.line.querySelectorAll(".stack").forEach((stack, at) => {
            for (let coin = stack.querySelectorAll(".coin").length; coin < before[at] && this.#piles[at] <= MOST_DRAWN; coin++) {
                const ghost = el("span", { class: "ghost", "aria-hidden": "true", onanimationend: () => ghost.remove() });
                stack.append(ghost);
            }
        });
    }

    /** @param {number} pile @param {number} at @param {boolean} good true if a hint says that a move in this pile wins */
    #pile(pile, at, good) {
        const name = `pile ${at + 1}`;
        const { hint, colours } = this.#shows;
        const strip = this.#isStrip;
        const body = el("div", { class: "stack", role: "group", onclick: () => {
            if (this.#moves.length > 0 && !body.querySelector("button:not(:disabled)")) this.choices.textContent = `No move takes a coin from ${name}.`;
        }, "aria-label": strip ? `strip, with coins on ${this.#piles.join(", ")}` : `${name}: ${counted(pile, "coin")}` });
        if (pile <= MOST_DRAWN || this.#shape) {
            for (let left = 0; left < pile; left++) {
                const moves = this.#all(at, left);
                const wins = (hint > 1 || colours) && moves.some((made) => made.winning);
                const loses = colours && moves.length > 0 && !wins;
                // A move after which the game is over counts as one.
                const lasts = colours ? moves.find((made) => made.winning === wins)?.remoteness : undefined;
                const after = lasts === undefined ? "" : `, the game ends after ${counted(lasts + 1, "move")}`;
                const light = () => this.#light(moves, at, left);
                const what = !strip ? `Take ${pile - left} from ${name}, leave ${left}` : this.#piles.includes(left) ? `A coin is on ${left}` : `Move a coin to ${left}`;
                body.append(el("button", {
                    type: "button", class: `coin${wins ? " wins" : loses ? " loses" : ""}${strip && !this.#piles.includes(left) ? " square" : ""}`, "data-at": at, "data-left": left, disabled: moves.length === 0,
                    "aria-label": `${this.#shape?.name === "pins" ? `Pin ${left + 1} of ${name}` : what}${wins ? "; this wins" : loses ? "; this loses" : ""}${after}`,
                    onclick: () => this.#touch(moves), onpointerenter: light, onfocus: light,
                    onpointerleave: () => this.#light([], -1, 0), onblur: () => this.#light([], -1, 0),
                    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
                }, `${wins ? "★" : loses ? "×" : ""}${lasts === undefined ? "" : ` ${lasts + 1}`}`));
            }
        } else {
            const some = this.#nim || this.#moves.some((made) => this.#leaves(made, at) !== undefined);
            const winning = (hint > 1 || colours) && this.#moves.find((made) => made.winning && this.#leaves(made, at) !== undefined);
            const said = el("span", { class: "note", role: "status" });
            const leave = () => {
                const moves = Number.isNaN(read(field.value)) ? [] : this.#all(at, read(field.value));
                if (moves.length > 0) this.#touch(moves);
                else said.textContent = this.#range(at);
            };
            const field = counter({ id: `leave-${at}`, "data-at": at, "aria-label": `Coins to leave in ${name}`,
                value: winning ? this.#leaves(winning, at) : pile - 1,
                onkeydown: (/** @type {KeyboardEvent} */ event) => {
                    if (event.key !== "Enter") return;
                    // The move changes the focus. If the browser then handled the key, it would
                    // also press the button with the new focus.
                    event.preventDefault();
                    leave();
                } });
            const bar = el("span", { class: "coin bar", "data-at": at, "data-left": pile - 1 }, grouped(pile));
            bar.style.height = `${Math.max(HIGH * pile / Math.max(...this.#piles), LOW)}rem`;
            body.append(...(some ? [el("button", { type: "button", "data-at": at, onclick: leave, "aria-label": `Leave coins in ${name}${winning ? "; this wins" : ""}` }, winning ? "★ Leave" : "Leave"), field, said] : []), bar);
        }
        const whole = el("div", { class: `pile${good ? " good" : ""}` }, body, el("span", { class: "count", "aria-hidden": "true" }, pile > 0 && pile <= MOST_DRAWN && !strip ? String(pile) : ""));
        // The angle of a pile in a circle, from the top on.
        whole.style.setProperty("--turn", `${at / this.#piles.length - 0.25}turn`);
        return whole;
    }

    /** Moves the keyboard focus among the coins. @param {KeyboardEvent} event */
    #key(event) {
        const from = /** @type {HTMLElement} */ (event.target);
        const [at, left] = [Number(from.dataset.at), Number(from.dataset.left)];
        /** @type {Record<string, [number, number]>} */
        const steps = this.#shape?.across ? { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] } :
            { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        if (this.#isStrip) {
            const squares = [.../** @type {NodeListOf<HTMLElement>} */ (this.line.querySelectorAll("button:not(:disabled)"))];
            squares[squares.indexOf(from) + step[0] + step[1]]?.focus();
            return;
        }
        for (let to = at + step[0]; to >= 0 && to < this.#piles.length; to += step[0] || this.#piles.length) {
            const wanted = Math.min(left + step[1], this.#piles[to] - 1);
            const coin = /** @type {HTMLElement | null} */ (this.line.querySelector(`button[data-at="${to}"][data-left="${wanted}"]:not(:disabled)`));
            if (coin) {
                coin.focus();
                return;
            }
        }
    }

    /** Marks the coins that a move takes, for example before they disappear. @param {Answer} made @param {string} [mark] a class */
    show(made, mark = "lit") {
        this.#mark(mark, this.#gone(made));
    }
}
