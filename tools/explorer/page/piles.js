// Piles of coins in a row, which can be changed: by + and −, by dragging, by the keyboard.

import { el } from "./dom.js";

/** Coins that are drawn one by one; a larger pile is drawn as a column. */
const MOST_DRAWN = 24;
/** Piles that are drawn. */
export const MOST_PILES = 40;
/** Pixels of a drag for a coin. */
const DRAG = 9;

/**
 * @param {number[]} piles
 * @param {((piles: number[]) => void) | null} change who hears of new piles; no one, if they stay
 */
export function row(piles, change) {
    const line = el("div", { class: "piles", role: "group", "aria-label": "Piles, from left to right" });
    const largest = Math.max(...piles, 1);
    piles.slice(0, MOST_PILES).forEach((pile, at) => line.append(one(piles, at, largest, change)));
    if (piles.length > MOST_PILES) {
        line.append(el("span", { class: "more" }, `… and ${piles.length - MOST_PILES} more`));
    }
    if (change && piles.length < MOST_PILES) {
        line.append(el("button", {
            type: "button", class: "add", "aria-label": "Add a pile on the right",
            onclick: () => change([...piles, 1]),
        }, "+ pile"));
    }
    return line;
}

/**
 * @param {number[]} piles
 * @param {number} at
 * @param {number} largest
 * @param {((piles: number[]) => void) | null} change
 */
function one(piles, at, largest, change) {
    const pile = piles[at];
    /** @param {number} coins */
    const set = (coins) => {
        const changed = [...piles];
        // A pile of no coins is no pile.
        if (coins < 1) changed.splice(at, 1);
        else changed[at] = Math.min(coins, 1e9);
        if (changed.length > 0) change?.(changed);
    };
    const heap = el("div", { class: "heap" });
    if (pile <= MOST_DRAWN) {
        for (let coin = 0; coin < pile; coin++) heap.append(el("span", { class: "coin" }));
    } else {
        const column = el("span", { class: "column" });
        column.style.height = `${Math.round(100 + 140 * Math.log(pile / MOST_DRAWN) / Math.log(largest / MOST_DRAWN + 1))}px`;
        heap.append(column);
    }
    if (!change) {
        return el("div", { class: "pile" }, heap, el("span", { class: "count" }, String(pile)));
    }
    const spin = el("div", {
        class: "spin", role: "spinbutton", tabindex: 0, "data-pile": at,
        "aria-label": `Pile ${at + 1}`, "aria-valuenow": pile, "aria-valuemin": 0,
        "aria-valuetext": `${pile} ${pile === 1 ? "coin" : "coins"}`,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
            const steps = { ArrowUp: pile + 1, ArrowDown: pile - 1, PageUp: pile + 10,
                PageDown: Math.max(pile - 10, 1), Home: 1, Delete: 0, Backspace: 0 };
            const next = Object.hasOwn(steps, event.key) ?
                steps[/** @type {keyof typeof steps} */ (event.key)] : undefined;
            if (next !== undefined) {
                event.preventDefault();
                set(next);
            }
            const beside = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
            if (beside !== undefined) {
                event.preventDefault();
                /** @type {HTMLElement | null | undefined} */
                (spin.closest(".piles")?.querySelector(`[data-pile="${beside}"]`))?.focus();
            }
        },
        onpointerdown: (/** @type {PointerEvent} */ event) => {
            spin.setPointerCapture(event.pointerId);
            spin.dataset.from = String(event.clientY);
        },
        onpointermove: (/** @type {PointerEvent} */ event) => {
            if (spin.dataset.from === undefined) return;
            const dragged = Math.round((Number(spin.dataset.from) - event.clientY) / DRAG);
            count.textContent = String(Math.max(pile + dragged, 0));
        },
        onpointerup: (/** @type {PointerEvent} */ event) => {
            if (spin.dataset.from === undefined) return;
            const dragged = Math.round((Number(spin.dataset.from) - event.clientY) / DRAG);
            delete spin.dataset.from;
            if (dragged !== 0) set(Math.max(pile + dragged, 0));
        },
        onpointercancel: () => {
            delete spin.dataset.from;
            count.textContent = String(pile);
        },
    }, heap);
    const count = el("span", { class: "count" }, String(pile));
    spin.append(count);
    return el("div", { class: "pile" },
        el("button", { type: "button", "aria-label": `One coin more on pile ${at + 1}`,
            onclick: () => set(pile + 1) }, "+"),
        spin,
        el("button", { type: "button", "aria-label": `One coin less on pile ${at + 1}`,
            onclick: () => set(pile - 1) }, "−"));
}
