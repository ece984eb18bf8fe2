// A game that the user types. The address contains the text of its rules, so a link is enough to play it.

import { only, reads, wrong } from "./asked.js";
import { choice, el, labelled, problem, say, soon } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, adopt, decoded, encoded, may_adopt, MOST_ADDRESS, rules, rulesets } from "./games.js";
import { form } from "./view.js";

/** The rules that the field shows first. */
const EXAMPLE = `name: my-game
title: My game
source: me
rule: Take 1, 2 or 3 coins from the first or the last pile.
piles: row
move: t in 1..min(3, first): first -= t
move: t in 1..min(3, last) if k >= 2: last -= t
`;

/** Milliseconds from the last key press until the rules are read. */
const PAUSE = 600;

/** The number of characters of an address to reserve for positions and statements. */
const ROOM = 600;

/** The kinds of positions. @type {Record<string, string>} */
const KINDS = { row: "a row of piles", heaps: "heaps in any order", places: "piles at fixed places", sum: "piles that are games by themselves" };

/** @type {import("./main.js").View} */
export function own(main, parts) {
    const engine = new Engine();
    let timer = 0;
    const field = el("textarea", { id: "rules", rows: 12, spellcheck: "false", autocapitalize: "off", oninput: () => {
        clearTimeout(timer);
        timer = window.setTimeout(() => go(true), PAUSE);
    } });
    const select = choice([["", "an example"], ...rulesets], "", (name) => { location.hash = address("game", name || encoded(EXAMPLE.trim())); }, "ruleset");
    const found = el("div", { id: "understood" });
    /** Goes to the address that contains the text. @param {boolean} replace */
    const go = (replace) => {
        clearTimeout(timer);
        const wanted = address("game", encoded(field.value.trim()));
        if (location.hash === wanted) return;
        if (wanted.length > MOST_ADDRESS - ROOM) {
            engine.cancel();
            found.replaceChildren(problem(`These rules are too long for an address. Here they may have about ${
                Math.floor((MOST_ADDRESS - ROOM) * 3 / 4)} characters; the program reads longer ones from a file.`));
            return;
        }
        if (replace) history.replaceState(null, "", wanted);
        else history.pushState(null, "", wanted);
        read(wanted.slice("#game/".length));
    };
    main.append(el("h2", {}, "Your game"),
        el("p", {}, "Write the rules of a game. The address then contains them, so a link is a game that others can play."),
        form(() => go(false), "Read the rules", labelled("Begin with", select), el("div", { class: "rules" }, labelled("Rules", field))),
        found,
        el("details", { id: "words" }, el("summary", {}, "How rules are written"), el("dl", {}, ...WORDS.flatMap(([word, meaning]) =>
            [el("dt", {}, el("code", {}, word)), el("dd", {}, meaning)]))));

    /** Reads the rules, and shows how they were understood. @param {string} id the part of the address for these rules */
    const read = async (id) => {
        found.setAttribute("aria-busy", "true");
        const waited = soon(found, "Reading the rules", () => {
            engine.cancel();
            found.removeAttribute("aria-busy");
        });
        try {
            const game = await adopt(id, engine);
            waited();
            // If the address names a ruleset, the name stays there until the user changes the text.
            if (!id.startsWith("~")) field.value = game.text ?? "";
            document.title = `${game.title}: its rules · Grundy explorer`;
            found.replaceChildren(...understood(id, game));
            say(`${game.title} is understood.`);
        } catch (error) {
            waited();
            if (error instanceof Cancelled) return;
            found.replaceChildren(problem(error));
        }
        found.removeAttribute("aria-busy");
    };
    /** @param {string[]} parts */
    const show = (parts) => {
        clearTimeout(timer);
        const [id = encoded(EXAMPLE.trim())] = parts;
        engine.cancel();
        reads(found, () => {
            only(parts, ["the rules of a game"]);
            if (!may_adopt(id)) throw wrong(id, "the game", "write rules as text, or the name of a ruleset");
            try {
                if (id.startsWith("~")) field.value = `${decoded(id)}\n`;
                read(id);
            } catch (error) {
                found.replaceChildren(problem(error));
            }
        });
        return true;
    };
    show(parts);
    return { end: () => {
        clearTimeout(timer);
        engine.end();
    }, move: show };
}

/**
 * Shows how the rules were understood, with links to the views.
 * @param {string} id
 * @param {import("./games.js").Game} game
 */
function understood(id, game) {
    const begun = game.example;
    const about = el("p", {}, el("strong", {}, game.title), ` is understood: ${KINDS[game.kind ?? "row"]}, ` +
        `${game.impartial ? "with Grundy values" : "with outcome classes, because the players have different moves"}. ${rules(id)}`);
    if (!begun) return [about, problem("No position of this game was found; is the line “where” too strict?")];
    const piles = begun.replace(/\/.*$/, "").split(",");
    const inOrder = game.kind === "row" || game.kind === "places";
    const [least, most] = game.lengths ?? [1, 1];
    // The view of a table varies two piles, and the view of a row varies one pile. The other piles
    // come from the example.
    const free = Math.min(Math.max(least, 2), most);
    const middle = inOrder ? piles.slice(1, Math.max(free, 3) - 1).slice(0, Math.max(most - 2, 0)) : [];
    const length = `${Math.min(Math.max(least, 2), most)}`;
    /** @type {[string, string[]][]} */
    const views = [
        [`Play from ${begun}`, ["play", id, "first", begun]],
        ["A position, with its moves", ["position", id, begun]],
        ...(most >= 2 ? [/** @type {[string, string[]]} */ (["A table", ["table", id, middle.join(","), "64", "values"]])] : []),
        ["A row", ["row", id, inOrder ? piles.slice(0, -1).join(",") : piles.slice(0, least - 1).join(","), "100"]],
        ["A statement", ["check", id, game.impartial ? "g <= total" : "P -> total > 1", length, "12"]],
        ...(game.kind === "row" ? [/** @type {[string, string[]]} */ (["A family of rows, if all moves are at the ends", ["families", id, "3* 1 3*"]])] : []),
    ];
    return [about, el("ul", { id: "shows" }, ...views.map(([text, parts]) =>
        el("li", {}, el("a", { href: address(...parts) }, text))))];
}

/** The meaning of lines of rules; docs/RULES.md has all. @type {[string, string][]} */
const WORDS = [
    ["name, title, source", "the names of the game, and the source of its rules"],
    ["piles: row", "the order matters; an empty pile vanishes, and the row closes up"],
    ["piles: heaps", "the order does not matter; p1 is the smallest"],
    ["piles: places", "a fixed number of piles (“length: 3”), which may be empty"],
    ["piles: sum", "each pile is a game by itself, and may be split"],
    ["move: t in 1..first: first -= t", "take any number from the first pile"],
    ["move: i in 1..k, t in {1, 4, 9} if t <= piles[i]: piles[i] -= t", "take 1, 4 or 9 from any pile"],
    ["move: t in 1..min(p1, p2) if k == 2: p1 -= t, p2 -= t", "take the same number from two piles"],
    ["move: t in 1..2, a in 0..(n - t) // 2: n := [a, n - t - a]", "in a sum: take 1 or 2 and split the rest"],
    ["left: …, right: …", "in place of move: the two players have different moves"],
    ["length: 2..4", "the allowed numbers of piles"],
    ["where: p1 <= p2", "the allowed positions"],
    ["remembers: last move", "last_move is the number of coins just taken"],
    ["play: misere", "the player who cannot move wins"],
    ["example: g(2,3,4) = 5", "a value that you know; the page checks it"],
];
