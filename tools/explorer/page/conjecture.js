// A statement of the user, checked on all positions up to a size.

import { fill, only, reads, whole, wrong } from "./asked.js";
import { choice, el, grouped, labelled, problem, say } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, called, convention, most, MOST_ADDRESS, names } from "./games.js";

/** Seconds until the page stops a check. The check itself ends sooner, and says how far it got. */
const PATIENCE = 620;

/** Example statements. */
const EXAMPLES = [
    ["end-nim", "P <-> first == last and p2 != first", "3-3", "32"],
    ["end-nim", "g == 1 -> abs(first - last) <= 1", "3-3", "32"],
    ["nim", "g == p1 ^ p2 ^ p3", "3-3", "24"],
    ["loop-end-nim", "g == g(reverse)", "1-4", "24"],
    ["end-nim", "P -> not P[nim]", "3-3", "32"],
];

/** Words that a click inserts into the statement, with their meanings; docs/LANGUAGE.md has all. @type {[string, string][]} */
const WORDS = [["g", "the value"], ["P", "the player to move loses"], ["N", "the player to move wins"], ["first", "the first pile"],
    ["last", "the last pile"], ["p2", "the second pile"], ["k", "how many piles"], ["total", "all coins"], ["piles", "the list of piles"],
    ["options", "the values of the moves"], ["->", "implies"], ["<->", "iff"], ["and", "and"], ["or", "or"], ["not", "not"],
    ["^", "nim-sum"], ["%", "remainder"], ["abs( )", "absolute value"], ["max( )", "largest"], ["xor( )", "nim-sum of a list"],
    ["all(x in piles: x > 1)", "every pile"]];

/** @type {import("./main.js").View} */
export function conjecture(main, parts) {
    const engine = new Engine();
    let game = "";
    const select = choice(names(), "", () => {}, "game");
    const statement = el("textarea", { id: "statement", rows: 3, maxlength: 2000, spellcheck: "false" });
    const lengths = el("input", { id: "lengths", type: "text", maxlength: 9, placeholder: "as usual" });
    const largest = el("input", { id: "max-pile", type: "number", min: 1, max: most().single, placeholder: "as usual" });
    const progress = el("progress", { id: "progress", "aria-label": "Progress of the check", hidden: true });
    const stop = el("button", { type: "button", id: "stop", disabled: true, onclick: () => {
        engine.cancel();
        stop.disabled = true;
        progress.hidden = count.hidden = true;
        outcome.replaceChildren(el("p", {}, "Stopped; nothing is decided."));
    } }, "Stop");
    const count = el("p", { id: "count", class: "note", hidden: true });
    const outcome = el("div", { id: "verdict" });
    /** Inserts a word at the cursor. @param {string} word */
    const insert = (word) => {
        const [from, to] = [statement.selectionStart, statement.selectionEnd];
        const before = statement.value.slice(0, from);
        const space = before === "" || /\s$/.test(before) ? "" : " ";
        statement.setRangeText(`${space}${word} `, from, to, "end");
        statement.focus();
    };
    main.append(el("h2", {}, "A conjecture"),
        el("p", { class: "note" }, "In the language of “grundy check”: g is the value, P is a lost position, " +
            "first and last are the ends, p1, p2, … the piles, -> is implies, <-> is iff, ^ the nim-sum."),
        el("form", { class: "bar", onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            const wanted = address("check", select.value, statement.value.trim(), lengths.value.trim(), largest.value);
            if (wanted.length > MOST_ADDRESS) {
                engine.cancel();
                outcome.replaceChildren(problem("The statement is too long for an address."));
            } else if (location.hash === wanted) show([select.value, statement.value.trim(), lengths.value.trim(), largest.value]);
            else location.hash = wanted;
        } }, labelled("Game", select), el("div", { class: "wide" }, labelled("Statement", statement)),
        labelled("Piles, as 3 or 1-4", lengths), labelled("Largest pile", largest),
        el("button", { id: "go" }, "Check"), stop),
        el("details", { id: "words" }, el("summary", {}, "Words"), el("ul", { class: "words" }, ...WORDS.map(([word, meaning]) =>
            el("li", {}, el("button", { type: "button", onclick: () => insert(word) }, word), ` ${meaning}`)))),
        progress, count, outcome,
        el("h3", {}, "To begin with"),
        el("ul", {}, ...EXAMPLES.map((example) =>
            el("li", {}, el("a", { href: address("check", ...example) }, `${example[0]}: ${example[1]}`)))));

    /** @param {string[]} parts */
    const show = (parts) => {
        game = parts[0] ?? "";
        select.value = game;
        statement.value = parts[1] ?? "";
        lengths.value = parts[2] ?? "";
        fill(largest, parts[3] ?? "");
        // Drop the earlier question.
        engine.cancel();
        stop.disabled = true;
        progress.hidden = count.hidden = true;
        /** @type {number[] | null} */
        let range = null;
        /** @type {number | null} */
        let mostCoins = null;
        const fine = reads(outcome, () => {
            only(parts, ["a game", "a statement", "a number of piles", "the largest pile"]);
            const text = parts[2] ?? "";
            const read = /^\s*(?:(\d{1,3})(?:\s*(?:-|\.\.)\s*(\d{1,3}))?)?\s*$/.exec(text);
            if (!read) throw wrong(text, "the number of piles", "write one number, two as in 1-4, or none");
            range = read[1] ? [Number(read[1]), Number(read[2] ?? read[1])] : null;
            mostCoins = parts[3] ? whole(parts[3], "the largest pile", 1, most().single) : null;
        });
        if (fine) check(range, mostCoins);
        return true;
    };
    /** @param {number[] | null} range @param {number | null} mostCoins */
    const check = async (range, mostCoins) => {
        const question = {
            ask: "check", game, statement: statement.value, lengths: range, max_pile: mostCoins,
        };
        stop.disabled = false;
        progress.hidden = count.hidden = false;
        progress.removeAttribute("value");
        count.textContent = "";
        const begun = performance.now();
        outcome.replaceChildren(el("p", {}, "Checking…"));
        try {
            const { answer, seconds } = await engine.ask(question, {
                patience: PATIENCE,
                progress: (done, total) => {
                    progress.max = total;
                    progress.value = done;
                    const left = (performance.now() - begun) / 1000 * (total - done) / Math.max(done, 1);
                    count.textContent = `${grouped(done)} of ${grouped(total)} values; about ${grouped(Math.ceil(left))} seconds are left.`;
                },
            });
            tell(question.game, answer, seconds);
        } catch (error) {
            if (error instanceof Cancelled) return;
            outcome.replaceChildren(problem(error instanceof Error ? error.message : String(error)));
        }
        stop.disabled = true;
        progress.hidden = count.hidden = true;
    };
    /** @param {string} game @param {import("./engine.js").Answer} found @param {number} seconds */
    const tell = (game, found, seconds) => {
        const [first, last] = found.lengths;
        const range = `piles up to ${found.max_pile}, ` +
            (first === last ? `${first} of them` : `${first} to ${last} of them`);
        const premise = found.premise === null ? "" : `; ${grouped(found.premise)} satisfy the premise`;
        const verdict = found.verdict === "holds" ?
            `Holds at ${grouped(found.checked)} positions${premise}.` :
            `Fails at ${grouped(found.failures)} of ${grouped(found.checked)} positions${premise}.`;
        /** @type {{ position: string, parts: [string, string][] }[]} */
        const shown = found.counterexamples;
        outcome.replaceChildren(
            el("p", { class: `verdict ${found.verdict}` }, verdict),
            el("p", { class: "note" }, `${called(game)}: ${range}; ${seconds.toFixed(2)} s. What holds on a range is not proved.${convention(game)}`),
            ...(shown.length === 0 ? [] : [
                el("h3", {}, shown.length === 1 ? "The counterexample" : "The least counterexamples"),
                el("ol", { id: "counterexamples" }, ...shown.map(({ position, parts }) => el("li", {},
                    el("a", { href: address("position", game, position) }, position),
                    parts.length ? `  ${parts.map(([name, value]) => `${name} = ${value}`).join(", ")}` : ""))),
            ]));
        say(verdict);
    };
    show(parts);
    return { end: () => engine.end(), move: show };
}
