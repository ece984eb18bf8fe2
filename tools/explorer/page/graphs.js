// Draws graphs: a row b -> G(w b) with its period, and g(n) of single piles.

import { fill, only, powers, reads, whole } from "./asked.js";
import { counter, el, labelled, say } from "./dom.js";
import { Engine } from "./engine.js";
import { address, convention, duration, game as named, listed, most, names, rules } from "./games.js";
import { zooming } from "./heat.js";
import { Plot } from "./plot.js";
import { answered, form } from "./view.js";

/**
 * @typedef {{ title: string, note: string, view: string, games: [string, string][], word: boolean,
 *     slope?: number, last: number, most: number,
 *     question: (game: string, word: string, last: number) => import("./engine.js").Answer,
 *     name: (word: string, n: number) => string }} Sort
 */

/** @type {import("./main.js").View} */
export function row(main, parts) {
    return graph(main, parts, {
        title: "A row", note: "The values of w·b against b, and their period.", view: "row",
        games: names(), word: true, last: 200, most: most().row,
        question: (game, word, last) => ({ ask: "row", game, word, last }),
        name: (word, b) => [...(word ? [word] : []), b].join(","),
    });
}

/** @type {import("./main.js").View} */
export function singles(main, parts) {
    return graph(main, parts, {
        title: "Single piles", note: "g(n), the value of one pile of n at the beginning of play; the line is n/2.",
        view: "single", games: names((game) => game.single_piles), word: false, slope: 0.5,
        last: 10000, most: most().single,
        question: (game, _, last) => ({ ask: "singles", game, last }),
        name: (_, n) => String(n),
    });
}

/** True from the choice of another game until it is shown, perhaps by a new view. */
let chosen = false;

/** @param {HTMLElement} main @param {string[]} parts @param {Sort} sort */
function graph(main, parts, sort) {
    const engine = new Engine();
    let [game, word, last] = ["", "", sort.last];
    /** @type {{ preperiod: number, period: number, saltus: number, proved: boolean } | null} */
    let period = null;
    /** @type {string[] | null} */
    let classes = null;
    const select = listed(sort.games, "", () => {
        chosen = true;
        go();
    });
    const field = el("input", { id: "word", type: "text", maxlength: 400, spellcheck: "false" });
    const to = counter({ id: "last" });
    const rule = el("p", { id: "rule" });
    const status = el("p", { id: "status", class: "note" });
    const cell = el("p", { id: "cell" }, "Point at the graph.");
    const trouble = el("div");
    const key = el("p", { id: "legend", class: "note" });
    /** Returns what the picture shows, in words. */
    const title = () => `${named(game)?.title}: ${sort.word ? `G(${[...(word ? [word] : []), "b"].join(",")}) for b` : "g(n) for n"} up to ${plot.numbers.length}`;
    const saves = () => {
        const { numbers } = plot;
        if (numbers.length === 0) return null;
        const lines = () => [`${sort.word ? "b" : "n"},${classes ? "class" : "value"}`, ...Array.from(numbers, (value, at) => `${at + 1},${classes ? classes[value] : value}`)];
        return { map: plot.picture, caption: [`${title()}. Computed by Grundy.`, status.textContent?.replace(/^.*?: /, "") ?? ""], key: { text: key.textContent ?? "" }, lines,
            name: /** @type {[string, ...string[]]} */ ([game, ...(sort.word ? [word || "pairs"] : []), String(numbers.length)]) };
    };
    const plot = new Plot({
        label: `${sort.title}. Left and right move, faster with shift; plus and minus zoom.`,
        slope: sort.slope,
        point: (n) => {
            const value = plot.numbers[n - 1];
            cell.replaceChildren(
                el("a", { href: address("position", game, sort.name(word, n)) }, sort.name(word, n)),
                `: ${classes ? classes[value] : value}`);
            return cell.textContent ?? "";
        },
        names: () => classes,
        marks: () => {
            if (!period) return [];
            const found = [];
            for (let b = period.preperiod; b <= last && found.length < 300; b += period.period) found.push(b + 0.5);
            return found;
        },
    });
    const go = () => {
        const rest = sort.word ? [powers(field.value.trim()), to.value.trim()] : [to.value.trim()];
        location.hash = address(sort.view, select.value, ...rest);
    };
    main.append(el("h2", {}, sort.title), rule, el("p", { class: "note" }, sort.note),
        form(go, "Show", labelled("Game", select), sort.word && labelled("Word w", field), labelled("Up to", to)),
        trouble, status, plot.canvas, key, cell, zooming(plot));

    /** @param {string[]} parts */
    const show = (parts) => {
        const upTo = parts[sort.word ? 2 : 1] ?? String(sort.last);
        [game, word] = sort.word ? [parts[0] ?? "", parts[1] ?? ""] : [parts[0] ?? "", ""];
        // The word was written for the previous game, and may have too many piles for the chosen
        // game.
        const [longest, piles] = [named(game)?.lengths?.[1] ?? Infinity, word.split(/[\s,]+/)];
        if (chosen && sort.word && piles.length >= longest) {
            word = piles.slice(0, longest - 1).join(",");
            history.replaceState(history.state, "", address(sort.view, game, word, upTo));
        }
        chosen = false;
        select.value = game;
        rule.textContent = rules(game);
        field.value = word;
        fill(to, upTo);
        engine.cancel();
        period = null;
        plot.clear();
        key.textContent = "";
        cell.textContent = "Point at the graph.";
        status.textContent = "";
        const fine = reads(trouble, () => {
            only(parts, sort.word ? ["a game", "a word", "the last pile"] : ["a game", "the last pile"]);
            last = whole(upTo, "the last pile", 1, sort.most);
        });
        if (fine) load();
        return true;
    };
    const load = async () => {
        // The time of a shorter row tells the time of this row, which grows at least with the square of the length.
        const asked = (/** @type {number} */ last, words = "Computing") => answered(engine, sort.question(game, word, last), { place: status, words, trouble });
        const short = last < 64 ? undefined : await asked(last >> 3);
        if (short === null) return;
        const about = 64 * (short?.seconds ?? 0);
        const reply = await asked(last, about > 2 ? `Computing, for about ${duration(about)} or more` : undefined);
        if (!reply) return;
        const { answer, numbers } = reply;
        period = answer.period ?? null;
        // A few values at the end of a row may repeat by chance.
        if (period && !period.proved && numbers.length - period.preperiod < 2 * period.period + 8) period = null;
        classes = answer.classes ?? null;
        plot.show(numbers);
        key.textContent = `A point is ${classes ? "an outcome class" : "a value"}.` + (sort.slope ? " The line is n/2." : "") +
            (period ? " A vertical line stands before each period, if there is room." : "");
        const { saltus = 0 } = period ?? {};
        const found = period ? `preperiod ${period.preperiod}, period ${period.period}, saltus ` +
            `${saltus}, ${period.proved ? "proved" : "observed"}: from b = ${period.preperiod + 1} on, ` +
            `G(${sort.name(word, 0).replace(/0$/, "")}b + ${period.period}) = G(${sort.name(word, 0).replace(/0$/, "")}b)${saltus ? ` + ${saltus}` : ""}` :
            sort.word ? `no period was found up to ${last}; a longer row may have one` : `g(${numbers.length}) = ${numbers[numbers.length - 1]}`;
        status.textContent = `${numbers.length} ${classes ? "outcome classes" : "values"}: ${found}.${convention(game)}`;
        say(status.textContent);
    };
    show(parts);
    return { end: () => engine.end(), move: show, saves };
}
