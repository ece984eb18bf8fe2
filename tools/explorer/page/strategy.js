// Explains by a strategy why a position is won or lost: a winning move, and an answer to each reply of the opponent.

import { el } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, changed, convention, counted, game as named } from "./games.js";
import { typeset } from "./maths.js";
import { reason } from "./reason.js";

/** @typedef {import("./engine.js").Answer} Answer */

/** Maximum number of answers shown at once. */
const MOST_SHOWN = 60;

/** Maximum number of binary digits that are written in full size. */
const MOST_WIDE = 9;

/** A separate engine, because other questions of the view would cancel the questions asked here. */
export const engine = new Engine();

/** True if the user follows the strategy from position to position, and the player to move, in a partizan game. */
export const followed = { open: false, player: "Left" };

/**
 * Returns a link to a position in which the strategy continues.
 * @param {string} game
 * @param {string} position
 * @param {string | undefined} player the player to move
 */
function onward(game, position, player) {
    return el("a", { href: address("position", game, position), onclick: (/** @type {MouseEvent} */ event) => {
        // With these keys the browser opens the link in another tab or window.
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) Object.assign(followed, { open: true, player: player ?? followed.player });
    } }, position);
}

/**
 * Returns the strategy in a position: the winning move, and an answer to each move after it.
 * @param {string} game
 * @param {Answer} found
 * @param {Answer[]} moves the moves of the player to move
 * @param {boolean} [mine] true if the user is to move, false if the computer is, undefined if nobody is known
 * @returns {Promise<(Node | string)[]>}
 */
export async function strategy(game, found, moves, mine) {
    const winning = moves.find((made) => made.winning);
    if (moves.length === 0) return [el("p", {}, "There is no move.")];
    const lost = winning?.option ?? found.position;
    const opponent = winning?.player && (winning.player === "Left" ? "Right" : "Left");
    const others = moves.filter((made) => made.winning).length - 1;
    const head = winning ? el("p", { id: "advice" }, "The player to move wins: ", el("strong", {}, takes(winning)), " leaves ", onward(game, lost, opponent),
        (others > 0 ? ` (${counted(others, "other move")} also ${others === 1 ? "wins" : "win"}).` : ".")) :
        el("p", { id: "advice" }, "The player to move loses: each move has an answer.");
    const restores = winning ? el("p", { id: "restores" }, ...typeset(turns(game, found, winning))) : "";
    return [head, restores, ...(game === "nim" ? [columns(found.piles)] : []), ...await replies(game, lost, winning !== undefined, moves[0].player, mine)];
}

/** Says what a winning move changes, in the terms of the theorem that decides who wins. @param {string} game @param {Answer} found @param {Answer} made */
function turns(game, found, made) {
    const ends = (/** @type {string} */ text) => text.split(",").length > 1 ? [/^\d+/, /\d+$/].map((end) => end.exec(text)?.[0]) : [];
    const [[first, last], [left, right]] = [ends(found.position), ends(made.option)];
    if (named(game)?.row && first !== last && left && left === right) return `The ends are ${first} and ${last}; this move makes both ${left}.`;
    const [before, after] = [found.reason?.with, made.reason?.with];
    return before && after && before !== after ? `Before this move: ${before}. After it: ${after}.` : "";
}

/**
 * Returns the strategy in a position, the theorem that decides it, and its value.
 * @param {string} game
 * @param {Answer} found
 * @param {Answer[]} moves the moves of the player to move
 * @param {boolean | undefined} mine true if the user is to move, false if the computer is
 * @returns {Promise<(Node | string)[]>}
 */
export async function explained(game, found, moves, mine) {
    const shown = await strategy(game, found, moves, mine);
    const winning = moves.find((made) => made.winning);
    const because = winning ? winning.reason : found.reason;
    if (because && moves.length > 0) shown.splice(1, 0, await reason(winning?.option ?? found.position, winning?.outcome ?? found.outcome, because));
    const value = found.grundy === null ? `class ${found.outcome}` : `value ${found.grundy}`;
    return [...shown, el("p", { class: "note" }, `${found.position}: ${value}, ${named(game)?.title}.${convention(game)}`),
        el("p", {}, el("a", { href: address("position", game, found.position) }, "All moves and values"))];
}

/** Describes what a move takes. @param {Answer} made @param {string} [pile] the noun for a pile */
function takes(made, pile = " pile") {
    if (made.changes) return changed(made);
    const on = made.right_from !== undefined ? "both ends" : made.end ?? made.player?.toLowerCase();
    const where = on === "left" ? `the first${pile}: ` : on === "right" ? `the last${pile}: ` : on === "both ends" ? "both ends: " : "";
    // The numbers of a move stay on one line.
    const move = (/** @type {number} */ from, /** @type {number} */ to) => `${from}\u00a0→\u00a0${to}`;
    return `${where}${move(made.from, made.to)}` + (made.right_from === undefined ? "" : `, ${move(made.right_from, made.right_to)}`);
}

/**
 * Returns the table of answers to each move from a lost position.
 * @param {string} game
 * @param {string} position
 * @param {boolean} left true if a winning move leaves this position, so that the opponent of `player` moves
 * @param {string | undefined} player the player to move, in a partizan game
 * @param {boolean | undefined} mine true if the user, not the opponent, is `player`
 */
async function replies(game, position, left, player, mine) {
    const over = [el("p", { id: "over" }, "Then no move is left.")];
    // No coins are left.
    if (/^(\(\)|0(,0)*$)/.test(position)) return over;
    /** @type {Answer[]} */
    let found;
    try {
        found = (await engine.ask({ ask: "replies", game, position })).answer.replies;
    } catch (error) {
        if (error instanceof Cancelled) return [];
        return [el("p", { class: "note" }, `There is no table of answers: ${error instanceof Error ? error.message : error}.`)];
    }
    // Keep the moves of the player who is to move in the lost position.
    found = found.filter((made) => made.player === undefined || (made.player === player) !== left);
    if (found.length === 0) return over;
    // Count the answers that make the same change as the move, but at the other end or in another pile.
    const answered = found.filter((made) => made.reply);
    const same = answered.filter(({ changes, from, to, end, right_from, reply }) =>
        !changes && right_from === undefined && reply.right_from === undefined && reply.from === from && reply.to === to && (end === undefined || reply.end !== end)).length;
    const other = found[0].end === undefined ? "in another pile" : "at the other end";
    // If the user moves in the lost position, the opponent gives the answers.
    const isUsers = mine !== undefined && mine !== left;
    const [they, answer, you] = isUsers ? ["You take", "They answer", "you"] : ["They take", "You answer", "they"];
    const whatever = isUsers ? "they do" : "do";
    const rows = found.slice(0, MOST_SHOWN).map((made) => el("tr", {},
        el("td", {}, takes(made, "")),
        el("td", {}, made.reply ? takes(made.reply, "") : "nothing is left to do"),
        el("td", {}, made.reply ? onward(game, made.reply.option, made.player) : "")));
    return [...(same === 0 ? [] : [el("p", { id: "same" }, same === answered.length ? `Whatever ${you} do, ${whatever} the same ${other}.` :
        `${same} of ${answered.length} answers do the same ${other}.`)]),
    el("table", { id: "replies" },
        el("caption", {}, (left ? `Then, from ${position}, each move has an answer.` : `The answers, from ${position}.`) +
            " Each link leads to the position that is left, and to the answers there:"),
        el("thead", {}, el("tr", {}, ...[they, answer, "That leaves"].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, ...rows)),
    ...(found.length > MOST_SHOWN ? [el("p", { class: "note" }, `${found.length - MOST_SHOWN} more moves have answers.`)] : [])];
}

/** Shows piles of Nim in binary: the player who leaves every column even wins. @param {number[]} piles */
function columns(piles) {
    const width = Math.max(...piles, 1).toString(2).length;
    const digits = piles.map((pile) => pile.toString(2).padStart(width, "0"));
    const odd = [...Array(width).keys()].map((at) => digits.filter((text) => text[at] === "1").length % 2 === 1);
    const said = el("p", { id: "binary" }, "In binary: a player who leaves an even number of ones in every column wins.");
    return el("div", {}, said, el("div", { class: "wide", tabindex: 0 }, el("table", { id: "columns", class: width > MOST_WIDE ? "many" : "", "aria-labelledby": "binary" },
        el("tbody", {}, ...digits.map((text, at) => el("tr", {}, el("th", { scope: "row" }, String(piles[at])),
            ...[...text].map((digit) => el("td", {}, digit)))),
        el("tr", {}, el("th", { scope: "row" }, "ones"), ...odd.map((is) => el("td", { class: is ? "odd" : "" }, is ? "odd" : "even")))))));
}
