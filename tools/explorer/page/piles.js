// Piles of coins in a row. The user changes them by + and −, or by the keyboard.

import { el } from "./dom.js";

/** Maximum number of coins drawn one by one. A larger pile is drawn as a column. */
const MOST_DRAWN = 24;
/** Maximum number of piles drawn. */
const MOST_PILES = 40;
/** The largest pile that the notation of positions allows. */
const MOST_COINS = 1e9;
/** Milliseconds within which the next digit belongs to the same number, and until a typed number is used. */
const TYPING = 1500;
const TYPED = 600;

/** Draws piles that cannot be changed. @param {number[]} piles */
export function row(piles) {
    const line = group();
    const largest = Math.max(...piles, 1);
    line.append(...piles.slice(0, MOST_PILES).map((pile) => el("div", { class: "pile" },
        heap(pile, largest), el("span", { class: "count" }, String(pile)))), rest(piles));
    return line;
}

function group() {
    return el("div", { class: "piles", role: "group", "aria-label": "Piles, from left to right" });
}

/** @param {number[]} piles */
function rest(piles) {
    const more = piles.length - MOST_PILES;
    return el("span", { class: "more", hidden: more <= 0 }, `… and ${more} more`);
}

/** @param {number} pile @param {number} largest */
function heap(pile, largest) {
    const heap = el("div", { class: "heap" });
    if (pile <= MOST_DRAWN) {
        for (let coin = 0; coin < pile; coin++) heap.append(el("span", { class: "coin" }));
    } else {
        const column = el("span", { class: "column" });
        column.style.height = `${Math.round(10 * MOST_DRAWN + 60 * Math.log(pile / MOST_DRAWN) / Math.log(largest / MOST_DRAWN + 1))}px`;
        heap.append(column);
    }
    return heap;
}

/**
 * Piles that the user edits. They change at once, even while their value is being computed, and a pile keeps the
 * keyboard focus.
 */
export class Builder {
    /** @type {number[]} */
    piles = [];
    /** True if an empty pile stays as a zero. */
    zeros = false;
    line = group();
    /** @type {Pile[]} */
    #shown = [];
    #rest = rest([]);
    #add = el("button", {
        type: "button", class: "add", "aria-label": "Add a pile on the right",
        onclick: () => this.#change([...this.piles, 1]),
    }, "+ pile");

    /** @param {(piles: number[], pause?: number) => void} change called with the piles after each edit; waits some milliseconds for another edit */
    constructor(change) {
        this.change = change;
        this.line.append(this.#rest, this.#add);
    }

    /** Shows piles. @param {number[]} piles */
    show(piles) {
        this.piles = [...piles];
        const count = Math.min(piles.length, MOST_PILES);
        while (this.#shown.length < count) {
            const pile = new Pile(this, this.#shown.length);
            this.#shown.push(pile);
            this.#rest.before(pile.whole);
        }
        // If a removed pile had the keyboard focus, the last pile gets the focus.
        const gone = this.#shown.splice(count);
        const lost = gone.some(({ whole }) => whole.contains(document.activeElement));
        for (const { whole } of gone) whole.remove();
        if (lost) this.focus(count - 1);
        const largest = Math.max(...piles, 1);
        for (const pile of this.#shown) pile.draw(largest);
        const more = rest(piles);
        this.#rest.replaceWith(more);
        this.#rest = more;
        this.#add.hidden = piles.length >= MOST_PILES;
    }

    /** Sets a pile. @param {number} at @param {number} coins @param {number} [pause] */
    set(at, coins, pause) {
        const changed = [...this.piles];
        if (coins < 1 && !this.zeros) changed.splice(at, 1);
        else if (coins >= 0) changed[at] = Math.min(coins, MOST_COINS);
        if (changed.length > 0) this.#change(changed, pause);
    }

    /** @param {number[]} piles @param {number} [pause] */
    #change(piles, pause) {
        this.show(piles);
        this.change(piles, pause);
    }

    /** @param {number} at */
    focus(at) {
        this.#shown[at]?.spin.focus();
    }
}

/** A pile of the builder. */
class Pile {
    #pile = 0;
    #largest = 0;
    #heap = heap(0, 1);
    #count = el("span", { class: "count" });
    /** The digits of a number that the user is typing, and the time of the last digit. */
    #typed = "";
    #last = 0;

    /** @param {Builder} builder @param {number} at */
    constructor(builder, at) {
        this.builder = builder;
        this.at = at;
        this.spin = el("div", {
            class: "spin", role: "spinbutton", tabindex: 0, "data-pile": at,
            "aria-label": `Pile ${at + 1}`, "aria-valuemin": 0,
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
            onblur: () => this.#typed = "",
        }, this.#heap, this.#count);
        /** @param {string} words @param {number} by */
        const button = (words, by) => el("button", {
            type: "button", "aria-label": `One coin ${words} pile ${at + 1}`,
            onclick: () => builder.set(at, builder.piles[at] + by),
        }, by > 0 ? "+" : "−");
        this.whole = el("div", { class: "pile" }, button("more on", 1), this.spin, button("less on", -1));
    }

    /** @param {number} largest */
    draw(largest) {
        const pile = this.builder.piles[this.at];
        if (pile !== this.#pile || pile > MOST_DRAWN && largest !== this.#largest) {
            const drawn = heap(pile, largest);
            this.#heap.replaceWith(drawn);
            this.#heap = drawn;
        }
        this.#pile = pile;
        this.#largest = largest;
        this.#count.textContent = String(pile);
        this.spin.setAttribute("aria-valuenow", String(pile));
        this.spin.setAttribute("aria-valuetext", `${pile} ${pile === 1 ? "coin" : "coins"}`);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const { at, builder } = this;
        const pile = builder.piles[at];
        /** The coins after a key. @type {Record<string, number>} */
        const coins = { ArrowUp: pile + 1, "+": pile + 1, ArrowDown: pile - 1, "-": pile - 1, PageUp: pile + 10, PageDown: Math.max(pile - 10, 1), Home: 1, Delete: 0 };
        const beside = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
        const isTyped = /^(\d|Backspace)$/.test(event.key);
        if (!isTyped && beside === undefined && !Object.hasOwn(coins, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        if (event.timeStamp - this.#last > TYPING) this.#typed = "";
        this.#last = event.timeStamp;
        if (!isTyped) {
            this.#typed = "";
            if (beside === undefined) builder.set(at, coins[event.key]);
            else builder.focus(beside);
            return;
        }
        this.#typed = event.key === "Backspace" ? String(pile).slice(0, -1) : this.#typed + event.key;
        if (Number(this.#typed) > 0 || builder.zeros && this.#typed !== "") builder.set(at, Number(this.#typed), TYPED);
    }
}
