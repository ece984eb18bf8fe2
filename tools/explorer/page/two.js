// Shows two maps side by side, each in a frame. Two tables of one size show the same part and the same cell.

import { only, reads } from "./asked.js";
import { el } from "./dom.js";
import { address } from "./games.js";

/** The number of parts in the address of a table before the cell and the visible part. */
const WHOLE = 5;

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
        if (shown[0] === "table" && other[0] === "table" && shown[3] === other[3] && other.length >= WHOLE) {
            const wanted = `#${[...other.slice(0, WHOLE), ...shown.slice(WHOLE)].join("/")}`;
            // A frame reads an address as this page would.
            if (wanted !== inside(1 - at).location.hash) inside(1 - at).location.replace(`?embed${wanted}`);
        }
        const both = frames.map((_, one) => decodeURIComponent(inside(one).location.hash.slice(1)));
        if (both.every((shown) => shown)) history.replaceState(history.state, "", address("two", ...both));
    };
    main.append(el("h2", {}, "Two maps"), trouble, el("div", { class: "two" }, ...frames));
    /** @param {string[]} parts */
    const show = (parts) => {
        const fine = reads(trouble, () => only(parts, ["an address", "an address"]));
        frames.forEach((frame, at) => {
            frame.hidden = !fine;
            if (fine) frame.contentWindow?.location.replace(`?embed${address(...(parts[at] ?? parts[0]).split("/"))}`);
        });
        return true;
    };
    show(parts);
    return { move: show };
}
