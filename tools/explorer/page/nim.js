// Moves in positions of Nim with too many moves to list. By Bouton's theorem a move wins iff it makes the nim-sum 0.

/** @typedef {import("./engine.js").Answer} Answer */

/** Returns the move that leaves some coins in a pile. @param {number[]} piles @param {number} at @param {number} left @returns {Answer} */
export function leaves(piles, at, left) {
    const rest = piles.map((pile, one) => one === at ? left : pile).filter((pile) => pile > 0).sort((a, b) => a - b);
    return { at, from: piles[at], to: left, option: rest.join(",") || "()", winning: rest.reduce((sum, pile) => sum ^ pile, 0) === 0 };
}

/** Returns the winning moves; if there are none, the moves that take a third of a pile. @param {number[]} piles @returns {Answer[]} */
export function best(piles) {
    const sum = piles.reduce((sum, pile) => sum ^ pile, 0);
    const winning = piles.flatMap((pile, at) => (pile ^ sum) >>> 0 < pile ? [leaves(piles, at, (pile ^ sum) >>> 0)] : []);
    return winning.length > 0 ? winning : piles.map((pile, at) => leaves(piles, at, pile - Math.max(Math.floor(pile / 3), 1)));
}

/** Finds the move between two positions. @param {number[]} piles @param {string} option @returns {Answer | undefined} */
export function between(piles, option) {
    const left = option.match(/\d+/g)?.map(Number) ?? [];
    const gone = (/** @type {number[]} */ from, /** @type {number[]} */ of) => {
        const rest = [...from];
        for (const pile of of) if (rest.includes(pile)) rest.splice(rest.indexOf(pile), 1);
        return rest;
    };
    const [before, after] = [gone(piles, left), gone(left, piles)];
    if (before.length !== 1 || after.length > 1 || (after[0] ?? 0) >= before[0]) return undefined;
    const made = leaves(piles, piles.indexOf(before[0]), after[0] ?? 0);
    return made.option === option ? made : undefined;
}

/**
 * Returns the row of a word of Nim: its values, with the period, as the crates answer. By Bouton's theorem they are
 * x xor b for the nim-sum x of the word, and repeat after the least power of two that is larger than x.
 * @param {number[]} word
 * @param {number} last
 */
export function row(word, last) {
    const sum = word.reduce((sum, pile) => sum ^ pile, 0);
    const period = 2 ** (32 - Math.clz32(sum));
    return { answer: { period: { preperiod: 0, period, saltus: period, proved: true }, classes: null },
        numbers: Uint32Array.from({ length: last }, (_, at) => (sum ^ at + 1) >>> 0) };
}
