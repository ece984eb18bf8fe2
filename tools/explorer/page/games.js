// The games, as the crates list them, and addresses within the page.

/**
 * @typedef {{ id: string, title: string, paper: string, row: boolean, impartial: boolean,
 *     remembers: "nothing" | "last-move" | "moves", lost_without_moves: boolean,
 *     single_piles: boolean }} Game
 * @typedef {{ games: Game[], version: string, most: { side: number, row: number, single: number,
 *     sets: number, seconds: number } }} Known
 */

/** An address of more is none. */
export const MOST_ADDRESS = 4096;

/** @type {Known} */
let known;

/** @param {Known} found */
export function learn(found) {
    known = found;
}

export function games() {
    return known.games;
}

export function most() {
    return known.most;
}

/**
 * A game by its name; `undefined` if there is none.
 * @param {string} id
 */
export function game(id) {
    return known.games.find((game) => game.id === id);
}

/**
 * Names to choose from, of those that do.
 * @param {(game: Game) => boolean} [wanted]
 * @returns {[string, string][]}
 */
export function names(wanted = () => true) {
    return known.games.filter(wanted).map(({ id }) => [id, id]);
}

/**
 * An address within the page.
 * @param {...string} parts
 */
export function address(...parts) {
    // What positions consist of stays readable.
    const encoded = parts.map((part) => encodeURIComponent(part).replace(/%2C/g, ",")
        .replace(/%7B/g, "{").replace(/%7D/g, "}").replace(/%3D/g, "="));
    return `#${encoded.join("/")}`;
}
