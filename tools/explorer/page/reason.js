// The theorem that decides a position, with the numbers it reads there.

import { claim, findings, said } from "./claims.js";
import { el } from "./dom.js";
import { address } from "./games.js";

/** The letters of the theorems on the ends of a row. */
const LETTERS = " Here a1 is the smaller end and ak the larger one. l counts piles from a1 on: those equal to it, and " +
    "the next one if it is larger. r counts in the same way from ak back.";

/**
 * Shows the theorem that decides a position.
 * @param {string} position
 * @param {string} outcome
 * @param {{ claim: string, with: string }} because
 * @param {string} [title]
 */
export async function reason(position, outcome, because, title = "Theorem") {
    // Without the findings a reason has only a name.
    await findings().catch(() => []);
    const theorem = claim(because.claim);
    return el("p", { class: "reason" }, `${title}: ${position}: ${because.with}; so who is to move ` +
        `${outcome === "P" ? "loses" : "wins"}, by `, el("a", { href: address("claims", because.claim) }, because.claim),
    theorem ? ` (${theorem.paper.split(",")[0]}, ${theorem.title}): ${said(theorem)}` : ".",
    because.with.includes("l = ") ? el("span", { class: "note", id: "letters" }, LETTERS) : "");
}
