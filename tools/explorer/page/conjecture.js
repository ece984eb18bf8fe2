// A statement of the user, checked on all positions up to a size.

import { fill, only, read, reads, whole, wrong } from "./asked.js";
import { counter, el, grouped, labelled, problem, say } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, convention, counted, duration, game as named, listed, most, names } from "./games.js";
import { legend, logarithmic } from "./colours.js";
import { Heat, zooming } from "./heat.js";
import { answered, list } from "./view.js";

/** Seconds until the page stops a check. The crates stop a check sooner, and report its progress. */
const PATIENCE = 620;

/** The time that the crates allow a check, in seconds. */
const LIMIT = 600;

/** The last part of an address that shows the map of the counterexamples. */
const MAP = "map";

/** Milliseconds from the last key press to the estimate of the check's time. */
const PAUSE = 500;

/** @type {import("./main.js").View} */
export function conjecture(main, parts) {
    const engine = new Engine();
    /** True if the address asks for the map of the counterexamples. */
    let mapped = false;
    const estimates = new Engine();
    const maps = new Engine();
    let game = "";
    let timer = 0;
    /** True if the range in the fields is one for a game that remembers moves. */
    let ranges = false;
    /** The fields of the last check. */
    let checked = "";
    const fields = () => [select.value, statement.value.trim(), lengths.value.trim(), largest.value].join("\n");
    const stale = el("p", { id: "stale", class: "note", hidden: true }, "The fields have changed since this check began. Press Check for a new one.");
    const later = () => {
        stale.hidden = checked === "" || fields() === checked;
        clearTimeout(timer);
        timer = window.setTimeout(() => estimate(), PAUSE);
    };
    const select = listed(names(), "", () => {
        // A range for one kind of game is usually too large or too small for the other kind.
        const hasMoves = named(select.value)?.remembers === "moves";
        if (ranges !== hasMoves) lengths.value = largest.value = "";
        ranges = hasMoves;
        later();
    });
    const cost = el("p", { id: "cost", class: "note" });
    const statement = el("textarea", { id: "statement", rows: 3, maxlength: 2000, spellcheck: "false",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) asked.requestSubmit();
        } });
    const lengths = el("input", { id: "lengths", type: "text", maxlength: 9, placeholder: "as usual" });
    const largest = counter({ id: "max-pile", placeholder: "as usual" });
    const progress = el("progress", { id: "progress", "aria-label": "Progress of the check", hidden: true });
    const stop = el("button", { type: "button", id: "stop", disabled: true, onclick: () => {
        engine.cancel();
        stop.disabled = progress.hidden = count.hidden = true;
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
        // The next word belongs between the brackets.
        const inside = word.indexOf("( )") + 1;
        if (inside > 0) statement.setSelectionRange(from + space.length + inside, from + space.length + inside + 1);
        statement.focus();
        later();
    };
    const [keys, examples] = [el("div"), el("ul")];
    const meaning = el("p", { class: "note", id: "meaning" }, "Point at a word for its meaning.");
    const asked = el("form", { class: "bar", oninput: later, onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            const wanted = address("check", select.value, statement.value.trim(), lengths.value.trim(), largest.value);
            if (location.hash === wanted) show([select.value, statement.value.trim(), lengths.value.trim(), largest.value]);
            else location.hash = wanted;
        } }, labelled("Game", select), el("div", { class: "wide" }, labelled("Statement", statement)),
        labelled("Piles, as 3 or 1-4", lengths), labelled("Largest pile", largest),
        el("button", { id: "go" }, "Check"), stop);
    main.append(el("h2", {}, "A conjecture"),
        el("p", { class: "note" }, "A statement about positions is checked at every position of a range. Here g is the value, " +
            "P is a lost position, first and last are the ends, -> is implies, <-> is iff, ^ the nim-sum."),
        el("div", { class: "halves" }, el("section", { "aria-label": "The statement and its verdict" }, asked, cost, progress, count, stale, outcome),
            el("aside", {}, el("details", { id: "words" }, el("summary", {}, "Words to insert"),
                meaning, keys),
                el("h3", {}, "Examples"), examples)));
    list("words of statements").then((words) => keys.append(...[...Map.groupBy(words, ([group]) => group)].flatMap(([group, all]) => [
        el("h3", {}, group), el("div", { class: "keys" }, ...all.map(([, word, means]) => {
            const tell = () => meaning.textContent = `${word}: ${means}`;
            return el("button", { type: "button", "aria-label": `${word}: ${means}`, onclick: () => insert(word), onpointerenter: tell, onfocus: tell }, word);
        }))])));
    list("statements").then((all) => examples.append(...all.map(([says, ...parts]) =>
        el("li", {}, `${says} `, el("a", { href: address("check", ...parts) }, `${named(parts[0])?.title}: ${parts[1]}`)))));

    /** Returns the range in the fields, or null if it is invalid. */
    const range = () => {
        const found = /^\s*(?:(\d{1,3})(?:\s*(?:-|\.\.)\s*(\d{1,3}))?)?\s*$/.exec(lengths.value);
        return found && { lengths: found[1] ? [Number(found[1]), Number(found[2] ?? found[1])] : null,
            max_pile: largest.value === "" ? null : read(largest.value) };
    };

    /** Shows the number of positions that the check in the fields visits, and its estimated time. */
    const estimate = async () => {
        const wanted = range();
        estimates.cancel();
        if (!wanted || Number.isNaN(wanted.max_pile) || statement.value.trim() === "") {
            cost.textContent = "";
            return;
        }
        try {
            const { answer } = await estimates.ask({ ask: "estimate", game: select.value, statement: statement.value, ...wanted }, { patience: 10 });
            const { seconds } = answer;
            const time = seconds > LIMIT ? "more than ten minutes, and the page would stop it. Choose a smaller range" :
                seconds < 0.8 ? "less than a second" : `about ${duration(seconds)}`;
            cost.textContent = `A check of ${counted(answer.positions, "position")} takes ${time}.`;
        } catch (error) {
            // Ignore an error of the estimate, because the check itself reports this error.
            if (!(error instanceof Cancelled)) cost.textContent = "";
        }
    };

    /** @param {string[]} parts */
    const show = (parts) => {
        game = parts[0] ?? "";
        select.value = game;
        ranges = named(game)?.remembers === "moves";
        mapped = parts[4] === MAP;
        if (mapped) parts = [...parts.slice(0, 4), ...parts.slice(5)];
        statement.value = parts[1] ?? "";
        lengths.value = parts[2] ?? "";
        fill(largest, parts[3] ?? "");
        checked = fields();
        // Cancel the earlier questions.
        engine.cancel();
        maps.cancel();
        clearTimeout(timer);
        estimates.cancel();
        cost.textContent = "";
        stop.disabled = stale.hidden = progress.hidden = count.hidden = true;
        const fine = reads(outcome, () => {
            only(parts, ["a game", "a statement", "a number of piles", "the largest pile"]);
            if (!range()) throw wrong(parts[2] ?? "", "the number of piles", "write one number, two as in 1-4, or none");
            if (parts[3]) whole(parts[3], "the largest pile", 1, most().single);
        });
        if (fine) {
            estimate();
            check();
        } else checked = "";
        return true;
    };
    const check = async () => {
        const question = { game, statement: statement.value, ...range() };
        stop.disabled = progress.hidden = count.hidden = false;
        progress.removeAttribute("value");
        count.textContent = "";
        let begun = 0;
        outcome.replaceChildren(el("p", {}, "Checking…"));
        try {
            const { answer } = await engine.ask({ ask: "check", ...question }, {
                patience: PATIENCE,
                progress: (done, total) => {
                    progress.max = total;
                    progress.value = done;
                    // The first report comes when the crates are loaded and the work has begun.
                    begun ||= performance.now() - 50;
                    const left = Math.ceil((performance.now() - begun) / 1000 * (total - done) / Math.max(done, 1));
                    count.textContent = `${grouped(done)} of ${grouped(total)} values; about ${duration(left)} left.`;
                },
            });
            tell(question, answer);
        } catch (error) {
            if (error instanceof Cancelled) return;
            outcome.replaceChildren(problem(error));
        }
        stop.disabled = progress.hidden = count.hidden = true;
    };
    /** @param {import("./engine.js").Answer} question @param {import("./engine.js").Answer} found */
    const tell = (question, found) => {
        const { game } = question;
        const [first, last] = found.lengths;
        const range = `piles up to ${found.max_pile}, ` +
            (first === last ? `${first} of them` : `${first} to ${last} of them`);
        const premise = found.premise === null ? "" :
            found.premise === 0 ? "; it is vacuous: none satisfies the premise" : `; ${grouped(found.premise)} satisfy the premise`;
        const verdict = found.verdict === "holds" ?
            `Holds at ${grouped(found.checked)} positions${premise}.` :
            `Fails at ${grouped(found.failures)} of ${grouped(found.checked)} positions${premise}.`;
        /** @type {{ position: string, parts: [string, string][] }[]} */
        const shown = found.counterexamples;
        outcome.replaceChildren(
            el("p", { class: `verdict ${found.verdict}` }, verdict),
            el("p", { class: "note" }, `${named(game)?.title ?? game}: ${range}. What holds on a range is not proved.${convention(game)}`),
            ...(shown.length > 0 ? [] : [sizes({ ...question, lengths: found.lengths })]),
            ...(shown.length === 0 || last === 1 || found.max_pile > most().side ? [] : [
                where({ ...question, lengths: found.lengths, max_pile: found.max_pile })]),
            ...(shown.length === 0 ? [] : [
                el("h3", {}, shown.length === 1 ? "The counterexample" : "The least counterexamples"),
                el("ol", { id: "counterexamples" }, ...shown.map(({ position, parts }) => el("li", {},
                    el("a", { href: address("position", game, position) }, position),
                    parts.length ? `  ${parts.map(([name, value]) => `${name} = ${value}`).join(", ")}` : ""))),
            ]));
        say(verdict);
    };
    /**
     * Returns a button that asks a further question about a check, and shows the answer in its place. Without an answer the button comes back.
     * @param {[string, string, string]} names the ids of the place and of the button, and the words on the button
     * @param {import("./engine.js").Answer} question
     * @param {(answer: import("./engine.js").Answer, numbers: Uint32Array) => (Node | string)[]} shown
     * @param {() => void} [before]
     */
    const further = ([id, press, words], question, shown, before = () => {}) => {
        const button = el("button", { type: "button", id: press, onclick: async () => {
            before();
            const note = el("p", { class: "note" });
            place.replaceChildren(note);
            const reply = await answered(maps, question, { place: note, trouble: place });
            if (reply) place.replaceChildren(...shown(reply.answer, reply.numbers));
            else place.append(button);
        } }, words);
        const place = el("div", { id }, button);
        return place;
    };
    /** Offers a map of the counterexamples, by their first and last piles. @param {import("./engine.js").Answer} question */
    const where = (question) => {
        const place = further(["where", "map", "Show where it fails, as a map"], { ask: "failures", ...question }, map, () => {
            history.replaceState(history.state, "", address("check", question.game, question.statement, question.lengths.join("-"), `${question.max_pile}`, MAP));
            mapped = true;
        });
        if (mapped) place.querySelector("button")?.click();
        return place;
    };
    /** Offers a proof for piles of all sizes. @param {import("./engine.js").Answer} question */
    const sizes = (question) => further(["sizes", "prove", "Prove it for piles of all sizes"], { ask: "all-sizes", ...question },
        // A reason that belongs to several numbers of piles is told once.
        ({ lengths }) => lengths.filter((/** @type {import("./engine.js").Answer} */ line, /** @type {number} */ at) => !line.reason || line.reason !== lengths[at - 1]?.reason).map(proof));
    show(parts);
    return { end: () => {
        clearTimeout(timer);
        for (const one of [engine, estimates, maps]) one.end();
    }, move: show };
}

/** Says what is proved for piles of all sizes, and why not. @param {import("./engine.js").Answer} line */
function proof({ length, verdict, most, checked, reason }) {
    const told = `${counted(length, "pile")}: ` + (verdict === "holds" ? `proved for piles of all sizes, by the ${counted(checked, "position")} with piles up to ${most}.` :
        verdict === "fails" ? `fails; the least counterexample has a pile of at most ${most}.` :
            `not decided for piles of all sizes: ${reason}.${checked ? ` No counterexample has piles up to ${most}.` : ""}`);
    say(told);
    return el("p", { class: verdict === "undecided" ? "note" : `verdict ${verdict}` }, told);
}

/** Draws the numbers of counterexamples. @param {import("./engine.js").Answer} answer @param {Uint32Array} numbers */
function map({ side, largest }, numbers) {
    const cell = el("p", { id: "cell" }, "Point at a cell.");
    const heat = new Heat({
        label: "Map of the counterexamples. Arrow keys move, plus and minus zoom.",
        axes: ["first", "last"],
        point: (row, col) => cell.textContent = `first pile ${row + 1}, last pile ${col + 1}: ` +
            counted(numbers[row * side + col], "counterexample"),
    });
    heat.show({ rows: side, cols: side, colour: (at) => logarithmic(numbers[at], largest), text: (at) => String(numbers[at]) });
    return [el("h3", {}, "Where it fails"), heat.whole, cell,
        el("div", { class: "legend" }, ...legend({ bar: ["0", (part) => logarithmic(part * largest, largest), counted(largest, "counterexample")] })),
        zooming(heat)];
}
