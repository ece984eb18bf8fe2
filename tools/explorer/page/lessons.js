// A course in five lessons, from Nim to the mirrored ends of End-Nim. Each lesson is a game with one thing to learn.

import { el } from "./dom.js";
import { address } from "./games.js";

/** Each lesson: the game, who begins, the position, and what to do. @type {[string, string, string, string][]} */
const LESSONS = [
    ["nim", "second", "4,4", "Two equal piles: the computer begins, and you win. Whatever it takes from one pile, take the same from the other."],
    ["nim", "first", "3,7", "Two different piles: you begin. Make them equal, and you are in the first lesson."],
    ["nim", "first", "2,4,7", "Three piles: open “Who wins here, and why?” and look at the piles in binary. Leave an even number of ones in every column; one move does."],
    ["end-nim", "first", "2,5,4", "End-Nim: only the ends may be taken. Make the ends equal, with a larger pile between them. Then every move has an answer: if one end is shortened, shorten the other as much; if an end is taken whole, make the two piles that are left equal."],
    ["end-nim", "first", "2,3,2,4", "Equal ends are not enough: l counts the piles from the left end that equal it, and the next one if it is larger; r counts from the right, but is 0 if all piles are equal. With equal ends, leave l and r both even or both odd. Theorem 2.1 also tells which ends that differ by one are lost."],
];

/** Returns the lesson that begins with a position, or nothing. @param {string} game @param {string} mode @param {string} position @returns {(Node | string)[]} */
export function lesson(game, mode, position) {
    const at = LESSONS.findIndex((one) => one[0] === game && one[1] === mode && one[2] === position);
    if (at < 0) return [];
    const next = LESSONS[at + 1];
    return [`Lesson ${at + 1} of ${LESSONS.length}. ${LESSONS[at][3]} `,
        next ? el("a", { id: "next", href: address("play", ...next.slice(0, 3)) }, "Next lesson") :
            el("a", { id: "next", href: address("claims", "ch.thm2.1") }, "The theorem")];
}

/** The address of the first lesson. */
export const COURSE = address("play", ...LESSONS[0].slice(0, 3));
