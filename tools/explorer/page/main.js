// Chooses the view for an address. The part after # contains the whole state, so a link can cite
// the state.

import { copies, el, problem, say } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, adopt, FIRST, game, learn, listing, may_adopt, MOST_ADDRESS, plain } from "./games.js";
/**
 * A view shows the rest of the address. It may return `end`, which ends the view, `move`, which shows another
 * address and returns `false` if it cannot, and `saves`, which returns what can be saved now.
 * @typedef {{ end?: () => void, move?: (parts: string[]) => boolean, saves?: () => import("./save.js").Saves | null }} Shown
 * @typedef {(main: HTMLElement, parts: string[]) => Shown} View
 */

/** The places of the page: a name, and the views in it. @type {[string, string[]][]} */
const PLACES = [["Play", ["play"]], ["Analyse", ["position"]], ["Maps", ["table", "row", "single", "sets", "families", "two"]],
    ["Theorems", ["claims", "check"]], ["Your game", ["game"]]];

/**
 * The views: a title, the module, which is loaded when needed, and an example.
 * @type {Record<string, [string, () => Promise<View>, string[]]>}
 */
const VIEWS = {
    play: ["Play", async () => (await import("./play.js")).play, [FIRST[0], "first", FIRST[1]]],
    position: ["Analyse", async () => (await import("./position.js")).position, ["end-nim", "2,3,4"]],
    table: ["Tables", async () => (await import("./table.js")).table, ["end-nim", "4", "256", "seen"]],
    row: ["Rows", async () => (await import("./graphs.js")).row, ["end-nim", "5,4", "200"]],
    single: ["Single piles", async () => (await import("./graphs.js")).singles, ["short-global-nim", "10000"]],
    sets: ["Sets", async () => (await import("./sets.js")).sets, ["long-global-nim", "10"]],
    families: ["Families", async () => (await import("./families.js")).families, ["end-nim", "3* 1 3*"]],
    two: ["Two maps", async () => (await import("./two.js")).two, ["table/end-nim/4/256/seen", "table/loop-end-nim/4/256/seen"]],
    check: ["Your conjecture", async () => (await import("./conjecture.js")).conjecture,
        ["end-nim", "g == 1 -> abs(first - last) <= 1", "3-3", "32"]],
    claims: ["Published statements", async () => (await import("./claims.js")).claims, []],
    game: ["Your game", async () => (await import("./own.js")).own, []],
};

/** The address that is shown if nothing follows #. */
const HOME = ["play", ...VIEWS.play[2]];

/** Milliseconds until the page begins to keep its files. */
const KEEPS = 1500;

/** The names of a server on this machine. */
const HERE = ["localhost", "127.0.0.1", "[::1]"];

/** @type {Shown} */
let shown = {};
let view = "";
/** The part of the address that contains the typed game. */
let adopted = "";
/** Loads the style of all that the first game does without. @type {Promise<unknown> | undefined} */
let style;
/** Scrolls back to a place whenever the page becomes high enough. @type {ResizeObserver | undefined} */
let scrolling;
/** True if the user follows a link. */
let isFollowed = false;
/** Counts changes of the view. If a module is loaded only after the next change, it shows nothing. */
let arrivals = 0;

/** The query, or the first part after #, of an address for a frame in another page. Such an address shows only the view. */
const QUERY = "?embed";
const FRAMED = /^#embed(\/|$)/;

/** True at an address without a view, which shows the first game and what else is here. */
function isHome() {
    return /^#?(main)?$/.test(location.hash.replace(FRAMED, "#"));
}

/** Splits an address into the parts of its view; throws an error if it is invalid. */
function parts() {
    const text = location.hash.replace(FRAMED, "#").slice(1);
    if (text.length > MOST_ADDRESS) throw new Error("The address is too long.");
    try {
        const found = text.split("/").map((part) => decodeURIComponent(part.replace(/\+/g, "%2B")));
        // Parts at the end may be left out or empty.
        while (found.length > 1 && found.at(-1) === "") found.pop();
        return isHome() ? HOME : found;
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
        wanted = parts();
        if (!Object.hasOwn(VIEWS, wanted[0])) {
            throw new Error(`There is no view “${wanted[0].slice(0, 40)}” here; choose one above.`);
        }
    } catch (error) {
        fail(error);
        return;
    }
    const [name, ...rest] = wanted;
    for (const part of document.querySelectorAll("#home, .lead")) part.remove();
    if (rest.length > 0) rest[0] = name === "two" ? rest[0] : plain(rest[0]);
    else rest.push(...VIEWS[name][2]);
    const isOwn = !["claims", "game", "two"].includes(name) && rest.length > 0 && may_adopt(rest[0]);
    if (name === view && (!isOwn || rest[0] === adopted) && shown.move?.(rest)) {
        settle(main, isFollowed);
        return;
    }
    leave(name);
    document.title = `${VIEWS[name][0]} · Grundy explorer`;
    adopted = isOwn ? rest[0] : "";
    if (isOwn && !await adopts(main, rest[0])) return;
    if (number !== arrivals) return;
    try {
        const [build] = await Promise.all([VIEWS[name][1](), name !== "play" && styled()]);
        if (number !== arrivals) return;
        main.replaceChildren();
        view = name;
        shown = build(main, rest);
        settle(main, number > 1);
        // Without the style, as in a game in a frame, no word is marked.
        if (style) import("./words.js").then(({ watch }) => watch(main), () => {});
    } catch (error) {
        if (number === arrivals) fail(`The page cannot load this view. If there is no network, come back to it later. (${error instanceof Error ? error.message : error})`);
    }
}

/** Loads the style of the other views, once. */
function styled() {
    return style ??= new Promise((done) => document.head.append(el("link", { rel: "stylesheet", href: "views.css", onload: done, onerror: done })));
}

/**
 * Scrolls to the beginning of a new view, or to where the user left it before the browser's Back. Focuses the view if the
 * focus was on something that is gone.
 * @param {HTMLElement} main
 * @param {boolean} isNew
 */
function settle(main, isNew) {
    if (isHome()) furnish(main);
    // A frame takes no focus from the page around it.
    if (isNew && document.hasFocus() && document.activeElement === document.body) main.focus({ preventScroll: true });
    const top = history.state?.top ?? (isNew ? 0 : scrollY);
    let hadRoom = false;
    scrolling?.disconnect();
    // A view may remove what it shows, and show the next answer later: scroll again when the page has grown back.
    scrolling = new ResizeObserver(() => {
        const hasRoom = document.documentElement.scrollHeight - innerHeight >= top - 1;
        if (!hadRoom) scrollTo(0, top);
        hadRoom = hasRoom;
    });
    scrolling.observe(main);
}

/** Notes the place for the browser's Back, before the user follows a link or does something else. @param {Event} event */
function leaves({ type, target }) {
    scrolling?.disconnect();
    isFollowed = target instanceof Element && target.closest("a") !== null;
    if (type !== "wheel") history.replaceState({ ...history.state, top: scrollY }, "");
}

/** Shows around the first game what else is here. @param {HTMLElement} main */
async function furnish(main) {
    const number = arrivals;
    main.prepend(el("p", { class: "lead" }, el("strong", {}, "Play."), " See why. Break a theorem."));
    // Without a network the game alone works.
    const [found] = await Promise.all([import("./home.js").catch(() => null), styled()]);
    if (number === arrivals) found?.home(main);
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
            fail(error);
            main.append(el("p", {}, el("a", { href: address("game", id) }, "Change the rules")));
            return false;
        }
    } finally {
        engine.end();
    }
    return true;
}

/** Ends the view, and marks the place of the next one. @param {string} next */
function leave(next) {
    shown.end?.();
    shown = {};
    view = "";
    say(VIEWS[next]?.[0] ?? "");
    document.getElementById("shared")?.hidePopover();
    mark(next);
}

/** Shows an error in place of a view. @param {unknown} text */
function fail(text) {
    leave("");
    document.getElementById("main")?.replaceChildren(problem(text));
}

/** Returns a link to the example of a view. @param {string} id @param {string} name @param {string} title */
function link(id, name, title) {
    // Use the whole address. Otherwise axe mistakes a link that is scrolled out of view for a link to skip content.
    return el("a", { id, href: new URL(address(name, ...VIEWS[name][2]), location.href).href }, title);
}

/** Marks the place of a view, and shows the other views of this place. @param {string} current */
function mark(current) {
    const [place, views] = PLACES.find(([, views]) => views.includes(current)) ?? ["", []];
    const ways = /** @type {HTMLElement} */ (document.getElementById("ways"));
    ways.hidden = views.length < 2;
    ways.setAttribute("aria-label", place || "None");
    ways.replaceChildren(...(views.length < 2 ? [] : views.map((name) => link(`view-${name}`, name, VIEWS[name][0]))));
    for (const one of document.querySelectorAll("#views a, #ways a")) {
        const isHere = one.textContent === place || one.id === `view-${current}`;
        if (isHere) one.setAttribute("aria-current", one.id.startsWith("place") ? "true" : "page");
        else one.removeAttribute("aria-current");
    }
}

async function start() {
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    const views = document.getElementById("views");
    const version = document.getElementById("version");
    try {
        const engine = new Engine();
        const [{ answer }, rulesets] = await Promise.all([engine.ask({ ask: "games" }), listing("games.txt")]);
        engine.end();
        learn(/** @type {any} */ (answer), rulesets);
        if (version) version.textContent = `Version ${answer.version}.`;
    } catch (error) {
        if (error instanceof Cancelled) return;
        const why = error instanceof Error ? error.message : String(error);
        main.replaceChildren(problem(`The explorer cannot start: ${why}`));
        return;
    }
    views?.append(...PLACES.map(([title, [name, ...more]]) => link(more.length > 0 ? `place-${name}` : `view-${name}`, name, title)));
    /** Creates a button that saves what is shown. @param {"png" | "csv"} id @param {string} words */
    const saving = (id, words) => el("button", { type: "button", id, onclick: async () => {
        const found = shown.saves?.();
        if (found) (await import("./save.js"))[id](found);
    } }, words);
    const [png, csv] = [saving("png", "Save a picture (PNG)"), saving("csv", "Save the numbers (CSV)")];
    const shared = /** @type {HTMLElement} */ (document.getElementById("shared"));
    shared.addEventListener("beforetoggle", () => {
        const found = shown.saves?.();
        png.hidden = !found;
        csv.hidden = !found?.lines;
    });
    shared.append(copies("copy", "Copy link", "The link is the address", () => location.href),
        copies("frame", "Copy a frame for your notes", "Put ?embed before the # of the address",
            () => `<iframe src="${whole(QUERY)}" width="100%" height="640" title="Grundy explorer"></iframe>`), png, csv);
    const out = /** @type {HTMLAnchorElement} */ (document.querySelector("#out a"));
    out.addEventListener("click", () => { out.href = whole(); });
    // Wait until the first view has loaded, then keep the files for use without a network. Do not
    // keep them if the server is on this machine: the kept files would hide a later version, or
    // another server on the same port.
    const footer = /** @type {HTMLElement} */ (document.querySelector("footer"));
    if (!HERE.includes(location.hostname)) {
        setTimeout(async () => (await import("./offline.js")).offline(footer), KEEPS);
    }
    document.getElementById("skip")?.addEventListener("click", (event) => {
        event.preventDefault();
        main.focus();
    });
    for (const event of ["pointerdown", "keydown", "wheel"]) document.addEventListener(event, leaves, { capture: true, passive: true });
    window.addEventListener("hashchange", route);
    route();
}

start();
