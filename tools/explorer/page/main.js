// Chooses the view of an address. The part after # has everything, so a link is a citation.

import { el, problem } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, learn, MOST_ADDRESS } from "./games.js";
import { position } from "./position.js";
import { table } from "./table.js";
import { row, singles } from "./graphs.js";
import { sets } from "./sets.js";
import { conjecture } from "./conjecture.js";
import { claims, findings } from "./claims.js";

/**
 * A view shows the rest of the address. It may return `end`, which ends it, and `move`, which shows another
 * address; `false` from `move` means that it cannot.
 * @typedef {{ end?: () => void, move?: (parts: string[]) => boolean }} Shown
 * @typedef {(main: HTMLElement, parts: string[]) => Shown} View
 */

/** @type {Record<string, [string, View, string[]]>} */
const VIEWS = {
    position: ["Position", position, ["end-nim", "2,3,4"]],
    table: ["Table", table, ["end-nim", "4", "256", "values"]],
    row: ["Row", row, ["end-nim", "5,4", "200"]],
    single: ["Single piles", singles, ["short-global-nim", "10000"]],
    sets: ["Sets of moves", sets, ["long-global-nim", "10"]],
    check: ["Conjecture", conjecture, ["end-nim", "g == 1 -> abs(first - last) <= 1", "3-3", "32"]],
    claims: ["Claims", claims, []],
};

/** @type {Shown} */
let shown = {};
let view = "";

/** Splits an address; throws an error if it is invalid. */
function parts() {
    const text = location.hash.slice(1);
    if (text.length > MOST_ADDRESS) throw new Error("The address is too long to mean anything here.");
    try {
        return text.split("/").map((part) => decodeURIComponent(part.replace(/\+/g, "%2B")));
    } catch {
        throw new Error("The address has a % that encodes nothing.");
    }
}

function route() {
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    /** @type {string[]} */
    let wanted;
    try {
        wanted = parts();
        if (wanted[0] === "") wanted = ["position", ...VIEWS.position[2]];
        if (wanted[0] === "main" && view) return;
        if (wanted[0] === "main") wanted = ["position", ...VIEWS.position[2]];
        if (!Object.hasOwn(VIEWS, wanted[0])) {
            throw new Error(`There is no view “${wanted[0].slice(0, 40)}” here; above are those there are.`);
        }
    } catch (error) {
        shown.end?.();
        shown = {};
        view = "";
        mark("");
        main.replaceChildren(problem(error instanceof Error ? error.message : String(error)));
        return;
    }
    const [name, ...rest] = wanted;
    if (name === view && shown.move?.(rest)) return;
    shown.end?.();
    view = name;
    mark(name);
    main.replaceChildren();
    document.title = `${VIEWS[name][0]} · Grundy explorer`;
    shown = VIEWS[name][1](main, rest);
}

/** @param {string} current */
function mark(current) {
    for (const link of document.querySelectorAll("#views a")) {
        if (link.id === `view-${current}`) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

async function start() {
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    const views = document.getElementById("views");
    try {
        const engine = new Engine();
        // Without the findings a reason has only a name.
        const [{ answer }] = await Promise.all([engine.ask({ ask: "games" }), findings().catch(() => [])]);
        engine.end();
        learn(/** @type {any} */ (answer));
        const version = document.getElementById("version");
        if (version) version.textContent = `Version ${answer.version}.`;
    } catch (error) {
        if (error instanceof Cancelled) return;
        const why = error instanceof Error ? error.message : String(error);
        main.replaceChildren(problem(`The explorer cannot start: ${why}`));
        return;
    }
    for (const [name, [title, , rest]] of Object.entries(VIEWS)) {
        views?.append(el("a", { id: `view-${name}`, href: address(name, ...rest) }, title));
    }
    document.getElementById("skip")?.addEventListener("click", (event) => {
        event.preventDefault();
        main.focus();
    });
    window.addEventListener("hashchange", route);
    route();
}

start();
