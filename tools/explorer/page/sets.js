// Shows all sets of moves as a grid, for one pile of a game that remembers the moves made.

import { legend, viridis } from "./colours.js";
import { fill, only, reads, whole } from "./asked.js";
import { choice, counter, el, grouped, labelled, say } from "./dom.js";
import { Engine } from "./engine.js";
import { address, game as named, most, names } from "./games.js";
import { Heat, zooming } from "./heat.js";
import { answered, form } from "./view.js";

/** @type {import("./main.js").View} */
export function sets(main, parts) {
    const engine = new Engine();
    let game = "";
    let pile = 10;
    let low = 5;
    /** @type {Uint32Array} */
    let numbers = new Uint32Array();
    /** @type {import("./colours.js").Key} */
    let key = {};
    const select = choice(names((game) => game.remembers === "moves"), "", () => go(), "game");
    const field = counter({ id: "pile" });
    const status = el("p", { id: "status", class: "note" });
    const cell = el("p", { id: "cell" }, "Point at a cell.");
    const scale = el("div", { class: "legend" });
    const trouble = el("div");
    /** Returns the position of a cell. The column gives the small moves of its set, and the row the large moves.
     * @param {number} row @param {number} col */
    const position = (row, col) => {
        const members = [];
        for (let move = 1; move <= pile; move++) {
            if ((move <= low ? col >> move - 1 : row >> move - 1 - low) & 1) members.push(move);
        }
        return `${pile}{${members.join(",")}}`;
    };
    const heat = new Heat({
        label: "Grid of all sets of moves. Arrow keys move, plus and minus zoom, Enter opens the position.",
        point: (row, col) => {
            return cell.textContent = `${position(row, col)}: value ${numbers[(row << low) + col]}`;
        },
        open: (row, col) => { location.hash = address("position", game, position(row, col)); },
    });
    const saves = () => {
        if (numbers.length === 0) return null;
        const caption = [`${named(game)?.title}: a pile of ${pile} with each set of moves. Computed by Grundy.`,
            `Columns are the sets of the moves 1 to ${low}, rows those of ${low + 1} to ${pile}, in binary order.`].slice(0, low < pile ? 2 : 1);
        const lines = () => ["position,value", ...Array.from(numbers, (value, at) => `"${position(at >> low, at & (1 << low) - 1)}",${value}`)];
        return { map: heat.picture(), caption, key, axes: { ...heat.seen, first: 0 }, lines, name: /** @type {[string, string]} */ ([game, String(pile)]) };
    };
    const go = () => { location.hash = address("sets", select.value, field.value); };
    main.append(el("h2", {}, "Sets of moves"),
        el("p", { class: "note" }, "One pile, with each set of moves that may still be made. Columns are the " +
            "sets of the smaller moves, and rows the sets of the larger moves, in binary order."),
        form(go, "Show", labelled("Game", select), labelled("Pile", field)),
        trouble, status,
        el("div", { class: "picture" }, heat.whole, el("div", { class: "beside" }, cell, scale, zooming(heat))));
    /** @param {string[]} parts */
    const show = (parts) => {
        game = parts[0] ?? "";
        const wanted = parts[1] ?? "10";
        select.value = game;
        fill(field, wanted);
        engine.cancel();
        heat.clear();
        cell.textContent = "Point at a cell.";
        status.textContent = "";
        scale.replaceChildren();
        numbers = new Uint32Array();
        const fine = reads(trouble, () => {
            only(parts, ["a game", "a pile"]);
            pile = whole(wanted, "the pile", 1, most().sets);
        });
        if (fine) load();
        return true;
    };
    const load = async () => {
        const reply = await answered(engine, { ask: "sets", game, pile }, { place: status, trouble });
        if (!reply) return;
        numbers = reply.numbers;
        low = Math.ceil(pile / 2);
        const { largest } = reply.answer;
        heat.show({ rows: 1 << pile - low, cols: 1 << low, colour: (at) => viridis(numbers[at], largest) });
        key = { bar: ["0", (part) => viridis(part, 1), String(largest)] };
        scale.replaceChildren(...legend(key));
        status.textContent = `${grouped(numbers.length)} positions; ` +
            `largest value ${largest}; with all moves ${numbers[numbers.length - 1]}.`;
        if (!heat.resume()) say(status.textContent);
    };
    show(parts);
    return { end: () => engine.end(), move: show, saves };
}
