// Chooses the view for an address. The part after # contains the whole state, so a link can cite
// the state.

import { copies, el, problem } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, adopt, FIRST, game, learn, may_adopt, MOST_ADDRESS, plain } from "./games.js";
/**
 * A view shows the rest of the address. It may return `end`, which ends the view, and `move`, which shows another
 * address and returns `false` if it cannot.
 * @typedef {{ end?: () => void, move?: (parts: string[]) => boolean }} Shown
 * @typedef {(main: HTMLElement, parts: string[]) => Shown} View
 */

/**
 * The views: a title, the module, which is loaded when needed, and an example.
 * @type {Record<string, [string, () => Promise<View>, string[]]>}
 */
const VIEWS = {
    play: ["Play", async () => (await import("./play.js")).play, [FIRST[0], "first", FIRST[1]]],
    position: ["Position", async () => (await import("./position.js")).position, ["end-nim", "2,3,4"]],
    table: ["Table", async () => (await import("./table.js")).table, ["end-nim", "4", "256", "values"]],
    row: ["Row", async () => (await import("./graphs.js")).row, ["end-nim", "5,4", "200"]],
    single: ["Single piles", async () => (await import("./graphs.js")).singles, ["short-global-nim", "10000"]],
    sets: ["Sets of moves", async () => (await import("./sets.js")).sets, ["long-global-nim", "10"]],
    families: ["Families", async () => (await import("./families.js")).families, ["end-nim", "3* 1 3*"]],
    check: ["Conjecture", async () => (await import("./conjecture.js")).conjecture,
        ["end-nim", "g == 1 -> abs(first - last) <= 1", "3-3", "32"]],
    claims: ["Claims", async () => (await import("./claims.js")).claims, []],
    game: ["Your game", async () => (await import("./own.js")).own, []],
};

/** The address that is shown if nothing follows #. */
const HOME = ["play", ...VIEWS.play[2]];

/** Milliseconds until the page keeps its files. */
const KEEPS = 1500;

/** The names of a server on this machine. */
const HERE = ["localhost", "127.0.0.1", "[::1]"];

/** @type {Shown} */
let shown = {};
let view = "";
/** The part of the address that contains the typed game. */
let adopted = "";
/** Counts changes of the view. If a module is loaded only after the next change, it shows nothing. */
let arrivals = 0;

/** The query, or the first part after #, of an address for a frame in another page. Such an address shows only the view. */
const QUERY = "?embed";
const FRAMED = /^#embed(\/|$)/;

/** Splits an address into the parts of its view; throws an error if it is invalid. */
function parts() {
    const text = location.hash.replace(FRAMED, "#").slice(1);
    if (text.length > MOST_ADDRESS) throw new Error("The address is too long.");
    try {
        const found = text.split("/").map((part) => decodeURIComponent(part.replace(/\+/g, "%2B")));
        return found[0] === "" || found[0] === "main" ? HOME : found;
    } catch {
        throw new Error("The address has a % without two hexadecimal digits.");
    }
}

/** Returns the whole address of what is shown. @param {string} [query] */
function whole(query = "") {
    const found = new URL(address(...parts()), location.href);
    found.search = query;
    return found.href;
}

async function route() {
    const number = ++arrivals;
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    /** @type {string[]} */
    let wanted;
    try {
        if (location.search === QUERY || FRAMED.test(location.hash)) document.body.classList.add("embed");
        if (location.hash === "#main" && view) return;
        wanted = parts();
        if (!Object.hasOwn(VIEWS, wanted[0])) {
            throw new Error(`There is no view “${wanted[0].slice(0, 40)}” here; choose one above.`);
        }
    } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
        return;
    }
    const [name, ...rest] = wanted;
    if (rest.length > 0) rest[0] = plain(rest[0]);
    else rest.push(...VIEWS[name][2]);
    const isOwn = name !== "claims" && name !== "game" && rest.length > 0 && may_adopt(rest[0]);
    if (name === view && (!isOwn || rest[0] === adopted) && shown.move?.(rest)) return;
    shown.end?.();
    shown = {};
    view = "";
    mark(name);
    document.title = `${VIEWS[name][0]} · Grundy explorer`;
    adopted = isOwn ? rest[0] : "";
    if (isOwn && !await adopts(main, rest[0])) return;
    if (number !== arrivals) return;
    try {
        const build = await VIEWS[name][1]();
        if (number !== arrivals) return;
        main.replaceChildren();
        view = name;
        shown = build(main, rest);
    } catch (error) {
        if (number === arrivals) fail(`Cannot load this view: ${error instanceof Error ? error.message : error}`);
    }
}

/**
 * Reads the typed game of an address, or shows the error. The view reports unknown names.
 * @param {HTMLElement} main
 * @param {string} id
 */
async function adopts(main, id) {
    const number = arrivals;
    const engine = new Engine();
    if (!game(id)) main.replaceChildren(el("p", { class: "note" }, "Reading the rules of the game…"));
    try {
        await adopt(id, engine);
    } catch (error) {
        if (number !== arrivals) return false;
        if (id.startsWith("~")) {
            fail(error instanceof Error ? error.message : String(error));
            main.append(el("p", {}, el("a", { href: address("game", id) }, "Change the rules")));
            return false;
        }
    } finally {
        engine.end();
    }
    return true;
}

/** Shows an error in place of a view. @param {string} text */
function fail(text) {
    shown.end?.();
    shown = {};
    view = "";
    mark("");
    document.getElementById("main")?.replaceChildren(problem(text));
}

/** @param {string} current */
function mark(current) {
    for (const link of document.querySelectorAll("#views a")) {
        if (link.id === `view-${current}`) {
            link.setAttribute("aria-current", "page");
            // On a phone the links to the views are in one line that scrolls, so show the current
            // link.
            link.scrollIntoView({ block: "nearest", inline: "nearest" });
        } else link.removeAttribute("aria-current");
    }
}

async function start() {
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    const views = document.getElementById("views");
    const version = document.getElementById("version");
    try {
        const engine = new Engine();
        const { answer } = await engine.ask({ ask: "games" });
        engine.end();
        learn(/** @type {any} */ (answer));
        if (version) version.textContent = `Version ${answer.version}.`;
    } catch (error) {
        if (error instanceof Cancelled) return;
        const why = error instanceof Error ? error.message : String(error);
        main.replaceChildren(problem(`The explorer cannot start: ${why}`));
        return;
    }
    for (const [name, [title, , rest]] of Object.entries(VIEWS)) {
        // Use the whole address. Otherwise axe mistakes a link that is scrolled out of view for a link to skip content.
        views?.append(el("a", { id: `view-${name}`, href: new URL(address(name, ...rest), location.href).href }, title));
    }
    views?.after(copies("copy", "Copy link", "The link is the address", () => location.href));
    version?.after(" ", copies("frame", "Copy a frame for your notes", "Put ?embed before the # of the address",
        () => `<iframe src="${whole(QUERY)}" width="800" height="640" title="Grundy explorer"></iframe>`));
    main.after(el("p", { id: "out" }, el("a", { target: "_blank", onclick: (/** @type {any} */ event) => {
        event.currentTarget.href = whole();
    }, href: "#" }, "Open in the explorer")));
    // Wait until the first view has loaded, then keep the files for use without a network. Do not
    // keep them if the server is on this machine: the kept files would hide a later version, or
    // another server on the same port.
    if (!HERE.includes(location.hostname)) {
        setTimeout(() => navigator.serviceWorker?.register("keep.js").catch(() => {}), KEEPS);
    }
    document.getElementById("skip")?.addEventListener("click", (event) => {
        event.preventDefault();
        main.focus();
    });
    window.addEventListener("hashchange", route);
    route();
}

start();
