// Shows two maps side by side, each in a frame. Two tables of one size show the same part and the same cell.

import { only, reads, wrong } from "./asked.js";
import { el } from "./dom.js";
import { address } from "./games.js";

/** The parts of the address of a table that say what it shows, before the cell and the visible part. */
const WHOLE = ["table", "", "", "", "seen"];

/** @type {import("./main.js").View} */
export function two(main, parts) {
    const trouble = el("div");
    const frames = ["First map", "Second map"].map((title, at) => el("iframe", { title, onload: () => {
        for (const event of ["hashchange", "settled"]) inside(at).addEventListener(event, () => follow(at));
    } }));
    const inside = (/** @type {number} */ at) => /** @type {Window} */ (frames[at].contentWindow);
    /** Puts both addresses into the address of the page, after the cell and the visible part of one table came to the other. @param {number} at */
    const follow = (at) => {
        const [shown, other] = [at, 1 - at].map((one) => inside(one).location.hash.slice(1).split("/"));
        if (shown[0] === "table" && other[0] === "table" && shown[3] === other[3]) {
            const wanted = `#${[...Object.assign([...WHOLE], other.slice(0, WHOLE.length)), ...shown.slice(WHOLE.length)].join("/")}`;
            if (wanted !== inside(1 - at).location.hash) inside(1 - at).location.replace(wanted);
        }
        const both = frames.map((_, one) => decodeURIComponent(inside(one).location.hash.slice(1)));
        history.replaceState(history.state, "", address("two", ...both));
    };
    main.append(el("h2", {}, "Two maps"), trouble, el("div", { class: "two" }, ...frames));
    /** @param {string[]} parts */
    const show = (parts) => {
        const fine = reads(trouble, () => {
            only(parts, ["an address", "an address"]);
            if (parts.length < 2) throw wrong("", "the second address", "write two addresses, with %2F for each slash in them");
        });
        frames.forEach((frame, at) => {
            frame.hidden = !fine;
            if (fine) frame.src = `?embed${address(...parts[at].split("/"))}`;
        });
        return true;
    };
    show(parts);
    return { move: show };
}
