// The games that the crates list, games that the user types, and addresses within the page.

import { choice, say } from "./dom.js";
import { Engine, typed } from "./engine.js";

/**
 * @typedef {{ id: string, title: string, paper: string, rule: string, convention: string | null, row: boolean, impartial: boolean,
 *     remembers: "nothing" | "last-move" | "moves", lost_without_moves: boolean,
 *     unplayable: string | null, single_piles: boolean, name?: string, example?: string | null, lengths?: [number, number],
 *     kind?: "row" | "heaps" | "places" | "sum", board?: string, text?: string }} Game
 * @typedef {{ games: Game[], version: string, most: { side: number, row: number, single: number,
 *     sets: number, seconds: number } }} Known
 */

/** The game of the first screen, and a position in which only one move wins. */
export const FIRST = ["end-nim", "2,4,3,5"];

/** The part of an address that means the puzzle of a day. */
export const PUZZLE = "puzzle";

/** The ending of a mode in which Right begins. */
export const RIGHT = "-right";

/** Example positions, by what the game remembers. */
const EXAMPLES = { nothing: "2,3,4", "last-move": "20,20/3", moves: "8{1,3,4}" };

/** Positions to begin a game with. The player to move wins. */
const STARTS = { nothing: "2,3,4", "last-move": "5,7", moves: "11{1,3,4,6,8}", partizan: "4,3,2" };

/** Maximum number of characters of an address. */
export const MOST_ADDRESS = 4096;

/** @type {Known} */
let known;

/** The titles of the rulesets of `games/`, by their ids. @type {Map<string, string>} */
export const rulesets = new Map();

/** Games that the user typed, by their part of an address. @type {Map<string, Game>} */
const own = new Map();

/** The id of the typed game that was adopted last. */
let latest = "";

/** Reads a file of lists; returns an empty text if it cannot be loaded. @param {string} name */
export function listing(name) {
    return fetch(new URL(name, import.meta.url)).then((response) => response.ok ? response.text() : "").catch(() => "");
}

/** @param {Known} found @param {string} listed the ids and titles of the rulesets */
export function learn(found, listed) {
    known = found;
    for (const line of listed.split("\n")) {
        const [id, title] = line.split("\t");
        // A title may differ from another only in its convention.
        if (title && !game(id)) rulesets.set(id, known.games.some((one) => simple(one.title) === simple(title)) ? `${title} (${id})` : title);
    }
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
    return known.games.find((game) => game.id === id) ?? own.get(id);
}

/** Returns the rules of a game in words, with its end, which a rule file need not mention. @param {string} id */
export function rules(id) {
    const found = game(id);
    if (!found?.kind || /\b(win|wins|lose|loses)\b/.test(found.rule)) return found?.rule ?? "";
    return `${found.rule} Whoever cannot move ${found.lost_without_moves ? "loses" : "wins"}.`.trim();
}

/** Encodes the text of a rule file for an address. @param {string} text */
export function encoded(text) {
    const letters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
    return `~${btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** Decodes the text of a rule file in an address. @param {string} part */
export function decoded(part) {
    try {
        const letters = atob(part.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
        return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
    } catch {
        throw new Error("The rules in this address are not text: a part of the link is missing or changed.");
    }
}

/**
 * Adds a game that the user typed, or a ruleset, to the games that the page knows.
 * @param {string} id its part of an address
 * @param {Engine} engine
 * @returns {Promise<Game>}
 */
export async function adopt(id, engine) {
    if (!rulesets.has(id)) latest = id;
    const there = own.get(id);
    if (there) return there;
    // The line end makes the crates read the text as a rule file.
    typed.set(id, id.startsWith("~") ? `${decoded(id)}\n` : id);
    const { answer } = await engine.ask({ ask: "game", game: id }, { patience: 10 }).catch((error) => {
        typed.delete(id);
        throw error;
    });
    const found = /** @type {Game} */ ({ ...answer, id });
    own.set(id, found);
    return found;
}

/** True if a part of an address may mean a typed game or a ruleset. @param {string} id */
export function may_adopt(id) {
    return id.startsWith("~") || id !== PUZZLE && !known.games.some((game) => game.id === id) && /^[a-z0-9-]{2,40}$/.test(id);
}

/** Returns a name without accents, capitals and marks, as in kings-nim for "King's Nim". @param {string} name */
export function simple(name) {
    return name.normalize("NFD").replace(/[\p{M}'’]/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** Returns the id for a game's name or title as people write it, as in "End Nim". Returns other texts unchanged. @param {string} name */
export function plain(name) {
    if (name.startsWith("~")) return name;
    const wanted = simple(name);
    const all = [...known.games.map(({ id, title }) => [id, title]), ...rulesets];
    return (all.find(([id]) => id === wanted) ?? all.find(([, title]) => simple(title) === wanted))?.[0] ?? name;
}

/**
 * Returns the game and the piles of a typed text, as in "End-Nim 2 3 4". If the text names no game, `game` is empty.
 * @param {string} text
 */
export async function entered(text) {
    const words = text.trim().split(/[\s:]+/);
    for (let count = words.length; count > 0; count--) {
        const id = plain(words.slice(0, count).join(" "));
        if (rulesets.has(id)) await load(id);
        if (game(id)) return { game: id, piles: words.slice(count).join(" ") || example(id) };
    }
    return { game: "", piles: text };
}

/** Returns the name of a game in sentences and files. @param {string} id */
export function called(id) {
    return own.get(id)?.name ?? id;
}

/**
 * Returns the names of the wanted games; by default, of all games. A ruleset has no other facts before it is read.
 * @param {(game: Game) => boolean} [wanted]
 * @returns {[string, string][]}
 */
export function names(wanted) {
    const found = own.get(latest);
    const all = [...(found ? [found] : []), ...known.games].filter(wanted ?? (() => true));
    return [...all.map(({ id, title }) => /** @type {[string, string]} */ ([id, title.charAt(0).toUpperCase() + title.slice(1)])), ...(wanted ? [] : rulesets)];
}

/** Reads a ruleset, unless it is known. @param {string} id */
async function load(id) {
    if (game(id)) return;
    say("Loading the game…");
    const engine = new Engine();
    // The view shows the error.
    await adopt(id, engine).catch(() => {});
    engine.end();
}

/**
 * Creates the list of games. A ruleset is read before it is chosen.
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(id: string) => void} change
 */
export function listed(options, chosen, change) {
    const select = choice(options, chosen, async (id) => {
        await load(id);
        // The user may have left the view meanwhile.
        if (select.isConnected) change(id);
    }, "game");
    return select;
}

/** Returns an example position of a game. @param {string} id */
export function example(id) {
    return own.get(id)?.example ?? EXAMPLES[game(id)?.remembers ?? "nothing"];
}

/** Returns the position with which the page begins a game. @param {string} id */
export function start(id) {
    if (id === FIRST[0]) return FIRST[1];
    const { example: begun, kind } = own.get(id) ?? {};
    // An example with a large pile is not for a first game.
    if (begun) return kind === "sum" && Number(begun) > 16 ? "9,4" : begun;
    return STARTS[game(id)?.impartial === false ? "partizan" : game(id)?.remembers ?? "nothing"];
}

/** Returns a sentence about the convention of a game's values, or an empty text. @param {string} id */
export function convention(id) {
    const said = game(id)?.convention;
    return said ? ` Convention: ${said}.` : "";
}

/** Describes how a move of a rule file changes the piles. @param {import("./engine.js").Answer} made */
export function changed(made) {
    return made.changes.map((/** @type {{ from: number, to: number[] }} */ { from, to }) =>
        `${from} → ${to.join("+") || "0"}`).join(", ");
}

/** Returns a number with its noun, as in 2 coins. @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
    return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Returns a time in words, as in 2 minutes. @param {number} seconds */
export function duration(seconds) {
    return seconds < 100 ? counted(Math.ceil(seconds), "second") : counted(Math.round(seconds / 60), "minute");
}

/**
 * Makes an address within the page.
 * @param {...string} parts
 */
export function address(...parts) {
    // Do not encode the characters of positions, so that addresses stay readable.
    const encoded = parts.map((part) => encodeURIComponent(part).replace(/%2C/g, ",")
        .replace(/%7B/g, "{").replace(/%7D/g, "}").replace(/%3D/g, "="));
    return `#${encoded.join("/")}`;
}

/** Returns the number of coins of a position. @param {string} position */
export function total(position) {
    return sum((position.replace(/[/{].*$/, "").match(/\d+/g) ?? []).map(Number));
}

/** @param {number[]} piles */
export function sum(piles) {
    return piles.reduce((all, pile) => all + pile, 0);
}
