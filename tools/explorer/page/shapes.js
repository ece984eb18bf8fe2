// Boards that do not consist of piles: a bar of chocolate, piles in a circle, coins on a strip, rows of pins. A shape says
// which moves the touch of a place means, and which places exist; the style sheet says where they are.

import { sum } from "./games.js";

/** @typedef {import("./engine.js").Answer} Answer */

/**
 * A shape has a name, the largest pile that it draws, its advice to the user, and the moves that a touch may mean: `at` is
 * the pile, and `left` the place in it, from 0 on. In a shape `across` the places of a pile stand beside each other. A shape
 * without coins has nouns for them and for piles.
 * @typedef {{ name: string, most: number, across: boolean, advice: string, pile?: string, unit?: string,
 *     touch?: (moves: Answer[], piles: number[], at: number, left: number) => Answer[] }} Shape
 */

/** @param {number[]} piles */
const sorted = (piles) => piles.filter((pile) => pile > 0).sort((one, other) => one - other).join();

/** A bite changes its own row, and rows below it. @param {Answer[]} moves @param {number[]} piles @param {number} at @param {number} left */
function bite(moves, piles, at, left) {
    return moves.filter(({ changes }) => changes[0].pile === at + 1 && sum(changes[0].to) === left);
}

/** Returns the moves that take some neighbouring coins of a pile, and leave those on both sides. @param {Answer[]} moves @param {number[]} piles @param {number} at @param {number[][]} wanted the first coin and the number of coins */
function cuts(moves, piles, at, wanted) {
    return wanted.filter(([first, count]) => first >= 0 && first + count <= piles[at]).flatMap(([first, count]) => {
        const to = [first, piles[at] - first - count];
        const made = moves.find(({ changes: [{ pile, to: left }] }) => piles[pile - 1] === piles[at] && sorted(left) === sorted(to));
        return made ? [{ ...made, changes: [{ ...made.changes[0], pile: at + 1, to }] }] : [];
    });
}

/** Returns the moves that divide a pile before a coin, and those that divide it into more than two piles, one of which has as many coins as stand before this coin. @param {Answer[]} moves @param {number[]} piles @param {number} at @param {number} coin */
function divide(moves, piles, at, coin) {
    const more = moves.filter(({ changes: [{ pile, to }] }) => piles[pile - 1] === piles[at] && to.length > 2 && to.includes(coin));
    return [...cuts(moves, piles, at, [[coin, 0], [coin, piles[at] - coin]]),
        ...more.map((made) => ({ ...made, changes: [{ ...made.changes[0], pile: at + 1 }] }))];
}

/** Returns the moves that knock down neighbouring pins, one of which is this pin, and leave the pins on both sides. @param {Answer[]} moves @param {number[]} piles @param {number} at @param {number} pin */
function knock(moves, piles, at, pin) {
    const counts = new Set(moves.map(({ changes: [{ from, to }] }) => from - sum(to)));
    return cuts(moves, piles, at, [...counts].sort((one, other) => one - other).flatMap((count) => [...Array(count).keys()].map((before) => [pin - before, count])));
}

/** A coin moves to this square. @param {Answer[]} moves @param {number[]} piles @param {number} at @param {number} square */
function slide(moves, piles, at, square) {
    return moves.filter(({ changes: [{ from, to }] }) => from > square && (to[0] ?? 0) === square);
}

/** @type {Record<string, Shape>} */
export const SHAPES = {
    bar: { name: "bar", most: 12, across: true, touch: bite, pile: "row", unit: "square",
        advice: "Touch a square to take it, with all squares to its right and below it. " },
    circle: { name: "circle", most: 9, across: false, advice: "Touch a coin that you want to take; if several moves take it, choose one. " },
    strip: { name: "strip", most: 24, across: true, touch: slide, advice: "Touch the square to which a coin shall move. " },
    pins: { name: "pins", most: 16, across: true, touch: knock, pile: "row", unit: "pin",
        advice: "Touch a pin to knock it down; if several moves do, choose one. " },
    split: { name: "split", most: 16, across: true, touch: divide,
        advice: "Touch a coin to divide the pile before it, or, if the rules allow it, to take it and all coins after it. " },
};
