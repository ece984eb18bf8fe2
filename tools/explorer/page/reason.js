// Shows the theorem that decides a position, with the values of its variables.

import { claim, findings, said } from "./claims.js";
import { el } from "./dom.js";
import { address } from "./games.js";
import { typeset } from "./maths.js";

/** The meanings of the letters in theorems about the ends of a row. */
const LETTERS = " Here a1 is the smaller end and ak the larger. l counts the piles from a1 on that equal a1, and " +
    "also the next pile if it is larger. r counts in the same way from ak back.";

/**
 * Shows the theorem that decides a position.
 * @param {string} position
 * @param {string} outcome
 * @param {{ claim: string, with: string }} because
 * @param {string} [title]
 */
export async function reason(position, outcome, because, title = "Theorem") {
    // If the findings cannot be loaded, show only the name of the theorem.
    await findings().catch(() => []);
    const theorem = claim(because.claim);
    return el("p", { class: "reason" }, `${title}: ${position}: `, ...typeset(because.with), `; so the player to move ${outcome === "P" ? "loses" : "wins"}, by `, el("a", { href: address("claims", because.claim) }, because.claim),
    ...(theorem ? [` (${theorem.paper.split(",")[0]}, ${theorem.title}): `, ...typeset(said(theorem))] : ["."]),
    because.with.includes("l = ") ? el("span", { class: "note", id: "letters" }, ...typeset(LETTERS)) : "");
}
