// Moves in positions of Nim with too many moves to list: a move leaves any smaller number of coins in any pile.

/** @typedef {import("./engine.js").Answer} Answer */

/** Returns the move that leaves some coins in a pile. @param {number[]} piles @param {Answer[]} moves all winning moves @param {number} at @param {number} left @returns {Answer} */
export function leaves(piles, moves, at, left) {
    const rest = piles.map((pile, one) => one === at ? left : pile).filter((pile) => pile > 0).sort((a, b) => a - b);
    const winning = moves.some((made) => made.winning && made.from === piles[at] && made.to === left);
    return { at, from: piles[at], to: left, option: rest.join(",") || "()", winning };
}

/** Finds the move between two positions. @param {number[]} piles @param {Answer[]} moves all winning moves @param {string} option @returns {Answer | undefined} */
export function between(piles, moves, option) {
    const left = option.match(/\d+/g)?.map(Number) ?? [];
    const gone = (/** @type {number[]} */ from, /** @type {number[]} */ of) => {
        const rest = [...from];
        for (const pile of of) if (rest.includes(pile)) rest.splice(rest.indexOf(pile), 1);
        return rest;
    };
    const [before, after] = [gone(piles, left), gone(left, piles)];
    if (before.length !== 1 || after.length > 1 || (after[0] ?? 0) >= before[0]) return undefined;
    const made = leaves(piles, moves, piles.indexOf(before[0]), after[0] ?? 0);
    return made.option === option ? made : undefined;
}
