// Parts that all views share: a form of fields, and a question with a clock and its error.

import { clock, el, problem } from "./dom.js";
import { Cancelled } from "./engine.js";
import { listing } from "./games.js";

/** Creates a form of fields, with a button that goes to what they say. @param {() => void} go @param {string} words on the button @param {...(Node | false)} fields */
export function form(go, words, ...fields) {
    return el("form", { class: "bar", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        go();
    } }, ...fields, el("button", { id: words === "Show" ? "go" : words.toLowerCase().replace(/ .*/, "") }, words));
}

/**
 * Makes a view of a class.
 * @param {new (main: HTMLElement) => { show: (parts: string[]) => boolean, end: () => void, saves: () => import("./save.js").Saves | null }} Kind
 * @returns {import("./main.js").View}
 */
export const viewed = (Kind) => (main, parts) => {
    const view = new Kind(main);
    view.show(parts);
    return { end: () => view.end(), move: (parts) => view.show(parts), saves: () => view.saves() };
};

/** @type {Promise<string> | undefined} */
let lists;

/** Returns a list of `lists.txt`, as the fields of its lines; an empty list if the file cannot be loaded. @param {string} name */
export async function list(name) {
    lists ??= listing("lists.txt");
    const text = await lists;
    // The next view loads the file again.
    if (!text) lists = undefined;
    const body = text.split(`\n== ${name}\n`)[1]?.split("\n\n")[0].trimEnd() ?? "";
    return body === "" ? [] : body.split("\n").map((line) => line.split("\t"));
}

/**
 * Asks a question. Meanwhile a clock runs, with a button that stops it. Shows an error.
 * @param {import("./engine.js").Engine} engine
 * @param {import("./engine.js").Answer} question
 * @param {{ place: HTMLElement, words?: string, trouble: HTMLElement }} means the places of the clock and of the error
 * @returns {Promise<import("./engine.js").Reply | null>} null if there is no answer
 */
export async function answered(engine, question, { place, words = "Computing", trouble }) {
    const waited = clock(place, words, () => engine.cancel());
    try {
        return await engine.ask(question);
    } catch (error) {
        if (!(error instanceof Cancelled)) trouble.replaceChildren(problem(error));
        return null;
    } finally {
        waited();
    }
}
