// A game that the user makes, by choices or as text. The address contains the text of its rules, so a link is enough to
// play it.

import { only, reads, wrong } from "./asked.js";
import { choice, el, labelled, problem, say, soon } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, adopt, decoded, encoded, may_adopt, MOST_ADDRESS, rules, rulesets, simple, start } from "./games.js";
import { gallery } from "./home.js";
import { list } from "./view.js";

/**
 * The choices of the user: the title, the arrangement, an index of its `MOVES`, the numbers of coins, and the end of the game.
 * @typedef {{ title: string, piles: string, from: number, coins: string, ends: string }} Choices
 * A move: what comes before its number of coins, the piles that it changes, a condition, and a part of a divided pile.
 * @typedef {{ before?: string, of: string[], when?: string, part?: string }} Move
 */

/** The first game. @type {Choices} */
const EXAMPLE = { title: "My game", piles: "row", from: 0, coins: "1-3", ends: "normal" };

/** The arrangements. The lines of `places` fix the number of piles. @type {Record<string, [string, string]>} */
const KINDS = {
    row: ["a row of piles", "piles: row"], heaps: ["heaps in any order", "piles: heaps"],
    places: ["piles at fixed places", "piles: places\nlength: 5\nboard: circle"], sum: ["piles that are games by themselves", "piles: sum"],
};

/** A move on any pile. @type {Move} */
const ANY = { before: "i in 1..k, ", of: ["piles[i]"] };

/** What a move takes from, in each arrangement. @type {Record<string, [string, ...Move[]][]>} */
const MOVES = {
    row: [["the first or the last pile", { of: ["first"] }, { of: ["last"], when: "k >= 2" }], ["the first pile", { of: ["first"] }], ["any pile", ANY]],
    heaps: [["any pile", ANY], ["any pile, or as many from a second one too", ANY, { before: "i in 1..k, j in i + 1..k, ", of: ["piles[i]", "piles[j]"] }]],
    places: [["any pile", ANY], ["any pile, or as many from the next one too", ANY, { before: "i in 1..k, ", of: ["piles[i]", "piles[i % k + 1]"] }]],
    sum: [["any pile", { of: ["n"] }], ["any pile, and divide the rest or not", { of: ["n"], part: "a" }]],
};

/** The ends of a game. @type {[string, string][]} */
const ENDS = [["normal", "whoever cannot move loses"], ["misere", "whoever cannot move wins"]];

/** Milliseconds from the last key press until the rules are read. */
const PAUSE = 600;

/** The number of characters of an address to reserve for positions and statements. */
const ROOM = 600;

/** Writes a rule file. @param {Choices} choices */
function written({ title, piles, from, coins, ends }) {
    const [words, ...moves] = MOVES[piles][from];
    const [, least, most] = /^(\d+) *- *(\d+)$/.exec(coins) ?? [];
    const lines = moves.map(({ before = "", of, when, part }) => {
        const all = of.length > 1 ? `min(${of.join(", ")})` : of[0];
        const some = most ? `${least}..min(${most}, ${of.join(", ")})` : coins === "any" ? `1..${all}` : `{${coins}}`;
        const fits = [when, some.startsWith("{") && `t <= ${all}`].filter((one) => one).join(" and ");
        return `move: ${before}t in ${some}${part ? `, ${part} in 0..(n - t) // 2` : ""}${fits && ` if ${fits}`}: ` +
            (part ? `n := [${part}, n - t - ${part}]` : of.map((pile) => `${pile} -= t`).join(", "));
    });
    const many = most ? `${least} to ${most} coins` : coins === "any" ? "any number of coins" : `${coins.replace(/,(\d+)$/, " or $1").replace(/,/g, ", ")} ${coins === "1" ? "coin" : "coins"}`;
    return [`name: ${simple(title).slice(0, 40).replace(/^-|-$/g, "") || "my-game"}`, `title: ${title || EXAMPLE.title}`, `rule: Take ${many} from ${words}.`,
        KINDS[piles][1], ...(ends === "misere" ? ["play: misere"] : []), ...lines].join("\n");
}

/** Returns the choices that write a text, if there are any. @param {string} text */
function chosen(text) {
    const title = /^title: (.*)$/m.exec(text)?.[1] ?? "";
    const [, least, most, some] = /\bt in (?:(\d+)\.\.min\((\d+),|\{([^}]*)\})/.exec(text) ?? [];
    const coins = most ? `${least}-${most}` : some ?? "any";
    const all = Object.keys(MOVES).flatMap((piles) => MOVES[piles].flatMap((_, from) => ENDS.map(([ends]) => ({ title, piles, from, coins, ends }))));
    return all.find((one) => written(one) === text);
}

/** @type {import("./main.js").View} */
export function own(main, parts) {
    const engine = new Engine();
    let timer = 0;
    /** The text that the choices have written. The choices stay as they are while it is read. */
    let mine = "";
    const field = el("textarea", { id: "rules", rows: 10, spellcheck: "false", autocapitalize: "off", onchange: () => timer && go(true), oninput: () => {
        clearTimeout(timer);
        timer = window.setTimeout(() => go(true), PAUSE);
        byHand.hidden = chosen(field.value.trim()) !== undefined;
    } });
    const select = choice([["", "an example"], ...rulesets], "", (name) => { location.hash = address("game", name || encoded(written(EXAMPLE))); }, "ruleset");
    const found = el("div", { id: "understood" });
    const title = el("input", { id: "title", type: "text", maxlength: 60, onchange: () => write() });
    const coins = el("input", { id: "coins", type: "text", maxlength: 60, onchange: () => write() });
    const piles = choice(Object.entries(KINDS).map(([kind, [words]]) => [kind, words]), "", () => write(0), "piles");
    const from = choice([], "", () => write(), "from");
    const ends = choice(ENDS, "", () => write(), "ends");
    const byHand = el("p", { id: "by-hand", class: "note" }, "The text says more than these choices. A choice writes it anew; the browser's Back brings it back.");
    /** The place of the error of the choices. */
    const trouble = el("div", { id: "trouble" });
    /** Shows what the choices say. @param {Choices | undefined} choices */
    const fill = (choices) => {
        trouble.replaceChildren();
        const { title: name, piles: kind, from: at, coins: many, ends: end } = choices ?? EXAMPLE;
        [title.value, coins.value, piles.value, ends.value] = [name, many, kind, end];
        from.replaceChildren(...MOVES[kind].map(([words], value) => el("option", { value }, words)));
        from.value = String(at);
        ends.disabled = kind === "sum";
    };
    /** Shows a text, and the choices that write it. @param {string} text */
    const take = (text) => {
        if (field.value.trim() !== text.trim()) field.value = text;
        const choices = chosen(text.trim());
        if (text.trim() !== mine) fill(choices);
        byHand.hidden = choices !== undefined;
    };
    /** Writes the text that the choices mean. @param {number} [at] */
    const write = (at = Number(from.value)) => {
        const many = coins.value.replace(/\s/g, "").toLowerCase() || "any";
        const [, least, most = least] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5})|(?:,[1-9]\d{0,5})*)$/.exec(many) ?? [];
        // A title that begins with # would be a comment.
        const choices = { title: title.value.replace(/^[#\s]+/, "").trim(), piles: piles.value, from: at, coins: many,
            ends: piles.value === "sum" ? "normal" : ends.value };
        // Back leads to the text that was typed before.
        if (timer) go(true);
        fill(choices);
        if (many !== "any" && !(Number(least) <= Number(most))) {
            trouble.append(problem(wrong(many, "the number of coins", "write any, two numbers as in 1-3, the smaller one first, or a list as in 1,4,9; none is 0")));
            return;
        }
        mine = written(choices);
        field.value = `${mine}\n`;
        go(false);
    };
    /** Goes to the address that contains the text. The browser's history keeps a text that is too long for an address. @param {boolean} replace */
    const go = (replace) => {
        clearTimeout(timer);
        timer = 0;
        engine.cancel();
        const id = encoded(field.value.trim());
        const wanted = address("game", id);
        if (wanted.length > MOST_ADDRESS - ROOM) history.replaceState({ long: field.value }, "", address("game"));
        else if (location.hash !== wanted) history[replace ? "replaceState" : "pushState"](null, "", wanted);
        read(id);
    };
    const live = el("iframe", { title: "The game, for both sides", hidden: true });
    const meanings = el("dl");
    list("lines of rules").then((lines) => meanings.append(...lines.flatMap(([word, meaning]) => [el("dt", {}, el("code", {}, word)), el("dd", {}, meaning)])));
    main.append(el("h2", {}, "Your game"),
        el("p", {}, "Choose how the game goes, or write its rules. The address then contains them, so a link is a game that others can play."),
        el("div", { class: "halves" }, el("section", { "aria-label": "The rules" },
            el("div", { class: "bar", id: "made" }, labelled("Title", title), labelled("Arrangement", piles), labelled("A move takes from", from),
                labelled("How many coins: any, 1-3, or 1,4,9", coins), labelled("The end", ends)), trouble, byHand,
            labelled("The rules as text", field)),
        el("section", { "aria-label": "The game" }, live, found)), el("details", { id: "words" }, el("summary", {}, "How rules are written"), meanings),
        el("h3", {}, "Begin with a game that exists"), gallery("games to begin with"), el("div", { class: "bar" }, labelled("All games", select)));

    /** Reads the rules, and shows how they were understood. @param {string} id the part of the address for these rules */
    const read = async (id) => {
        found.setAttribute("aria-busy", "true");
        // The links belong to the rules before.
        found.inert = true;
        const waited = soon(found, "Reading the rules", () => {
            engine.cancel();
            found.removeAttribute("aria-busy");
        });
        try {
            // If the address names a ruleset, the name stays there until the user changes the text.
            if (id.startsWith("~")) take(`${decoded(id)}\n`);
            if (history.state?.long) throw new Error("These rules are too long for an address. Here they may have about " +
                `${Math.floor((MOST_ADDRESS - ROOM) * 3 / 4)} characters; the program reads longer ones from a file.`);
            const game = await adopt(id, engine);
            waited();
            if (!id.startsWith("~")) take(game.text ?? "");
            document.title = `${game.title}: its rules · Grundy explorer`;
            found.replaceChildren(...understood(id, game));
            live.hidden = !game.example;
            // The frame adds no entry to the browser's history.
            if (game.example) live.contentWindow?.location.replace(`?embed${address("play", id, "beside", start(id))}`);
            say(`${game.title} is understood.`);
            found.inert = false;
        } catch (error) {
            waited();
            if (error instanceof Cancelled) return;
            live.hidden = true;
            found.replaceChildren(problem(error));
            say("");
            found.inert = false;
        }
        found.removeAttribute("aria-busy");
    };
    /** @param {string[]} parts */
    const show = (parts) => {
        clearTimeout(timer);
        timer = 0;
        const [id = encoded(history.state?.long ?? written(EXAMPLE))] = parts;
        engine.cancel();
        reads(found, () => {
            only(parts, ["the rules of a game"]);
            if (!may_adopt(id)) throw wrong(id, "the game", "write rules as text, or the name of a ruleset");
            read(id);
        });
        return true;
    };
    fill(EXAMPLE);
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
    const about = el("p", {}, el("strong", {}, game.title), ` is understood: ${KINDS[game.kind ?? "row"][0]}, ` +
        `${game.impartial ? "with Grundy values" : "with outcome classes"}. ${rules(id)}`);
    if (!begun) return [about, problem("No position of this game was found; is the line “where” too strict?")];
    const piles = begun.replace(/\/.*$/, "").split(",");
    const inOrder = game.kind === "row" || game.kind === "places";
    const [least, most] = game.lengths ?? [1, 1];
    // The view of a table varies two piles, and the view of a row varies one pile. The other piles
    // come from the example.
    const free = Math.min(Math.max(least, 2), most);
    const middle = inOrder ? piles.slice(1, Math.max(free, 3) - 1).slice(0, Math.max(most - 2, 0)) : [];
    /** @type {[string, string[]][]} */
    const views = [
        [`Play from ${begun}`, ["play", id, "first", begun]],
        ["A position, with its moves", ["position", id, begun]],
        ...(most >= 2 ? [/** @type {[string, string[]]} */ (["A table", ["table", id, middle.join(","), "64", "values"]])] : []),
        ["A row", ["row", id, inOrder ? piles.slice(0, -1).join(",") : piles.slice(0, least - 1).join(","), "100"]],
        ["A statement", ["check", id, game.impartial ? "g <= total" : "P -> total > 1", String(free), "12"]],
        ...(game.kind === "row" ? [/** @type {[string, string[]]} */ (["A family of rows, if all moves are at the ends", ["families", id, "3* 1 3*"]])] : []),
    ];
    return [about, el("ul", { id: "shows" }, ...views.map(([text, parts]) =>
        el("li", {}, el("a", { class: parts[0] === "play" && "button primary", href: address(...parts) }, text))))];
}
