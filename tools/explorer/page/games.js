// The games in the list of the crates, and addresses within the page.

/**
 * @typedef {{ id: string, title: string, paper: string, row: boolean, impartial: boolean,
 *     remembers: "nothing" | "last-move" | "moves", lost_without_moves: boolean,
 *     single_piles: boolean }} Game
 * @typedef {{ games: Game[], version: string, most: { side: number, row: number, single: number,
 *     sets: number, seconds: number } }} Known
 */

/** The most characters of an address. */
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
 * Finds a game by its id.
 * @param {string} id
 */
export function game(id) {
    return known.games.find((game) => game.id === id);
}

/**
 * Returns the names of the wanted games.
 * @param {(game: Game) => boolean} [wanted]
 * @returns {[string, string][]}
 */
export function names(wanted = () => true) {
    return known.games.filter(wanted).map(({ id }) => [id, id]);
}

/**
 * Makes an address within the page.
 * @param {...string} parts
 */
export function address(...parts) {
    // The characters of positions stay readable.
    const encoded = parts.map((part) => encodeURIComponent(part).replace(/%2C/g, ",")
        .replace(/%7B/g, "{").replace(/%7D/g, "}").replace(/%3D/g, "="));
    return `#${encoded.join("/")}`;
}
