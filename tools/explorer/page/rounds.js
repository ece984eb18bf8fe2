// The needs of a game after its first moves: positions for further games, the puzzle of a day, and the move that lost.

import { only, reads, wrong } from "./asked.js";
import { copies, el, problem, say } from "./dom.js";
import { Cancelled } from "./engine.js";
import { address, counted, FIRST, game as named, PUZZLE, RIGHT, start, total } from "./games.js";

/** @typedef {import("./engine.js").Answer} Answer */
/** @typedef {import("./play.js").PlayView} PlayView */

/** Marks the move that lost a won game. @param {PlayView} view */
export function where(view) {
    if (view.clue.querySelector("#lost") || view.log.querySelector(".losing")) return;
    const at = view.line.slice(0, -1).findIndex((_, at) => view.isMine(at) &&
        !view.made[at + 1]?.winning && view.may(view.found(at), at).some((made) => made.winning));
    const item = view.log.children[at];
    if (at < 0) {
        const said = "Nowhere: you never had a move that wins." +
            (named(view.game)?.impartial === false ? "" : " Let the other side begin, and the game is yours.");
        view.clue.replaceChildren(el("span", { id: "lost" }, said));
        say(said);
        return;
}
    const better = [...new Set(view.may(view.found(at), at).filter((made) => made.winning).map((made) => made.option))];
    item.className = "losing";
    item.append(el("strong", {}, " — here you lost. "),
        `${better[0]} wins` + (better.length > 1 ? `, and ${better.length - 1} more. ` : ". "),
        el("a", { id: "retry", href: address("play", view.game, view.mode, ...view.line.slice(0, at + 1)) },
            "Go back to this move"));
    say(item.textContent ?? "");
    item.scrollIntoView({ block: "nearest" });
}

/**
 * Chooses a position that the user can win, with more coins than `level`.
 * @param {PlayView} view
 * @param {string} game
 * @param {string} mode
 * @param {number} level a number of coins
 * @param {() => number} random
 * @param {string} [last] the position of the last game, which is not chosen again
 * @returns {Promise<string | null>} the position, or null after an error, or if another address came first
 */
export async function choose(view, game, mode, level, random, last) {
    const arrival = ++view.arrival;
    clearTimeout(view.timer);
    let begun = start(game);
    const isSecond = mode.startsWith("second");
    const { impartial, remembers, lengths, kind } = named(game) ?? {};
    const few = remembers === "moves" ? 1 : 5;
    // The smallest number of winning moves in the positions tried so far, and the largest number
    // of coins that a winning move of the computer leaves.
    let [least, most] = [Infinity, 2];
    const isNeeded = level > 0 || isSecond || mode.endsWith(RIGHT);
    for (let attempt = 0; isNeeded && attempt < 25 && least > 1; attempt++) {
        const coins = Math.min(Math.max(level, 8) + 2 + attempt % 4, few === 1 ? 16 : 48);
        const text = split(coins, few, random, lengths).join(",") + (remembers === "moves" ? some(coins, random) : "");
        /** @type {Answer} */
        let found;
        try {
            found = (await view.engine.ask({ ask: "position", game, position: text })).answer;
        } catch (error) {
            if (error instanceof Cancelled || arrival !== view.arrival) return null;
            // The rules of a typed game may exclude this position. Then try another position.
            if (kind) continue;
            view.trouble.replaceChildren(problem(error));
            return null;
        }
        if (arrival !== view.arrival) return null;
        const may = view.may(found, 0);
        const winning = may.filter((made) => made.winning);
        if (found.position === last) continue;
        if (!isSecond) {
            if (winning.length === 0 || winning.length >= least) continue;
            least = winning.length;
            begun = found.position;
        } else if (winning.length === 0 && may.length > 2) return found.position;
        // A position does not name the player to move. So in a partizan game Left would move
        // again after Left's winning move.
        else if (impartial !== false) {
            for (const { option } of winning) if (option !== last && total(option) > most) [most, begun] = [total(option), option];
            if (most > coins - 3) break;
        }
    }
    return begun;
}

/** Begins the same game for everybody on the same day. @param {PlayView} view @param {string[]} parts of the address, perhaps with a day */
export async function puzzle(view, parts) {
    let date = new Date();
    const fine = reads(view.trouble, () => {
        only(parts, ["the puzzle", "a day"]);
        if (parts.length > 1) date = day(parts[1]);
    });
    if (!fine) return;
    let state = date.getFullYear() * 10000 + date.getMonth() * 100 + date.getDate();
    // A linear congruential generator (Numerical Recipes) is random enough for piles.
    view.mode = "first";
    const begun = await choose(view, FIRST[0], "first", 12, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    });
    if (!begun) return;
    view.helped = 0;
    // Swedes write dates as addresses do.
    const written = date.toLocaleDateString("sv-SE").padStart(10, "0");
    view.puzzle = { position: begun, address: address("play", PUZZLE, written), date: written };
    // An explanation that is still open would give the answer away.
    view.open.open = false;
    view.go([begun], { game: FIRST[0], mode: "first", replace: true });
    view.day.textContent = `The puzzle of ${date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" })}. ` +
        "You can win. Copy link sends the puzzle without its answer.";
}

/** Shows the result of a won puzzle as a line to paste, with the number of days in a row, which only this browser keeps. @param {PlayView} view */
export function solve(view) {
    const days = solved(view.puzzle.date);
    const moves = counted(Math.ceil((view.line.length - 1) / 2), "move");
    const line = `Grundy, the puzzle of ${view.puzzle.date}: ${"●".repeat(Math.ceil((view.line.length - 1) / 2))} won in ${moves}` +
        `${view.helped > 0 ? ` with ${counted(view.helped, "hint")}` : " without a hint"}`;
    view.clue.replaceChildren(el("span", { id: "result" }, line, days > 1 ? `. ${counted(days, "day")} in a row` : "", ". "),
        copies("paste", "Copy the result", "Select the line and copy it", () => `${line}\n${new URL(view.puzzle.address, location.href).href}`));
}

/** Parses a day of the calendar. @param {string} text as in 2026-11-25 */
function day(text) {
    const date = new Date(`${text}T12:00`);
    // JavaScript turns a day that does not exist, such as 31 November, into a day of the next
    // month.
    if (/^\d{4}-\d\d-\d\d$/.test(text) && date.getDate() === Number(text.slice(8))) return date;
    throw wrong(text, "the day", "write a day of the calendar, as in 2026-11-25");
}

/** The days of solved puzzles, in the browser's storage. */
const SOLVED = "grundy puzzles";

/** Notes that the puzzle of a day is solved. Returns the number of days in a row that end with it. @param {string} date as in 2026-11-25 */
function solved(date) {
    const day = (/** @type {number} */ before) => new Date(Date.parse(`${date}T12:00Z`) - before * 864e5).toISOString().slice(0, 10);
    try {
        const known = (localStorage.getItem(SOLVED) ?? "").split(" ");
        if (!known.includes(date)) localStorage.setItem(SOLVED, [...known.slice(-400), date].join(" ").trim());
        let days = 1;
        while (known.includes(day(days))) days++;
        return days;
    } catch {
        // The browser may forbid storage.
        return 1;
    }
}

/** Returns a random set of moves, each less than the pile, in braces. @param {number} pile @param {() => number} random */
function some(pile, random) {
    return `{${[...Array(pile - 1).keys()].map((move) => move + 1).filter(() => random() < 0.5).join(",")}}`;
}

/**
 * Divides coins into piles.
 * @param {number} coins
 * @param {number} most piles
 * @param {() => number} random
 * @param {[number, number]} [lengths] the least and the largest number of piles that the game allows
 */
function split(coins, most, random, [few, many] = [1, most]) {
    const count = Math.max(Math.min(most, many, Math.round(coins / 3.5)), few);
    const piles = Array(count).fill(1);
    for (let rest = coins - count; rest > 0; rest--) piles[Math.floor(random() * count)]++;
    return piles;
}
