// The findings about the papers: docs/FINDINGS.md as pages.

import { only, reads } from "./asked.js";
import { el, labelled, problem } from "./dom.js";
import { address, games } from "./games.js";

/** @typedef {{ id: string, title: string, paper: string, lines: string[], verdict: string,
 *    flaw: string }} Claim
 *  @typedef {{ title: string, lines: string[], claims: Claim[] }} Paper */

/** @type {Promise<Paper[]> | undefined} */
let read;

/** @type {Map<string, Claim>} */
const known = new Map();

/** Reads the document, once. */
export function findings() {
    read ??= fetched().catch((error) => {
        read = undefined;
        throw error;
    });
    return read;
}

/** Returns a loaded claim by its id. @param {string} id */
export function claim(id) {
    return known.get(id);
}

/** @returns {Promise<Paper[]>} */
async function fetched() {
    const response = await fetch(new URL("findings.md", import.meta.url));
    if (!response.ok) throw new Error(`The findings cannot be had: ${response.status}.`);
    const found = papers(await response.text());
    for (const claim of found.flatMap((paper) => paper.claims)) known.set(claim.id, claim);
    return found;
}

/**
 * Splits the document into papers (##) and claims (###).
 * @param {string} text
 * @returns {Paper[]}
 */
export function papers(text) {
    /** @type {Paper[]} */
    const found = [];
    /** @type {Claim | null} */
    let claim = null;
    for (const line of text.split("\n")) {
        const head = /^### `([^`]+)`(?:: (.*))?$/.exec(line);
        const paper = /^## (.*)$/.exec(line);
        const current = found.at(-1);
        if (paper) {
            found.push({ title: paper[1], lines: [], claims: [] });
            claim = null;
        } else if (head && current) {
            claim = { id: head[1], title: head[2] ?? "", paper: current.title, lines: [], verdict: "", flaw: "" };
            current.claims.push(claim);
        } else if (claim) {
            claim.lines.push(line);
            claim.verdict ||= /^\*\*(holds|fails|stopped)\b/.exec(line)?.[1] ?? "";
            claim.flaw ||= /^\*\*fails\*\* \(.*; ([^;)]*)\)/.exec(line)?.[1] ?? "";
        } else current?.lines.push(line);
    }
    return found;
}

/** @type {import("./main.js").View} */
export function claims(main, parts) {
    let ended = false;
    const body = el("div", { id: "claims" }, el("p", {}, "Reading…"));
    const trouble = el("div");
    main.append(el("h2", {}, "Claims of the papers"), trouble, body);
    findings().then((found) => {
        if (!ended) show(found);
    }, (error) => {
        if (!ended) body.replaceChildren(problem(error instanceof Error ? error.message : String(error)));
    });
    /** @param {Paper[]} found */
    const show = (found) => {
        const wanted = parts[0] ?? "";
        if (!reads(trouble, () => only(parts, ["a claim"]))) {
            body.replaceChildren(back());
            return;
        }
        if (!wanted) {
            body.replaceChildren(...list(found));
            return;
        }
        const claim = found.flatMap((paper) => paper.claims).find((claim) => claim.id === wanted);
        if (!claim) {
            body.replaceChildren(problem(`There is no claim “${wanted.slice(0, 60)}”.`), back());
            return;
        }
        body.replaceChildren(
            el("h3", {}, `${claim.title} · ${claim.id}`), el("p", { class: "note" }, claim.paper),
            ...blocks(claim.lines), back());
    };
    return {
        end: () => { ended = true; },
        move: (rest) => {
            parts = rest;
            findings().then(show, () => {});
            window.scrollTo(0, 0);
            return true;
        },
    };
}

/** Shows a claim. @param {Claim} claim */
export function said(claim) {
    return claim.lines.find((line) => line.trim() !== "") ?? "";
}

function back() {
    return el("p", {}, el("a", { href: address("claims") }, "All claims"));
}

/** @param {Paper[]} found */
function list(found) {
    /** @type {[string, HTMLElement][]} */
    const items = [];
    const filter = el("input", { id: "filter", type: "search", oninput: () => {
        const wanted = filter.value.toLowerCase();
        for (const [text, item] of items) item.hidden = !text.includes(wanted);
    } });
    /** @type {Node[]} */
    const nodes = [labelled("Find", filter)];
    for (const paper of found) {
        const lines = paper.claims.map((claim) => {
            const statement = said(claim);
            const item = el("li", {}, el("a", { href: address("claims", claim.id) }, claim.id), ` ${claim.title} `,
                claim.verdict ? el("span", { class: `verdict ${claim.verdict}` },
                    claim.flaw ? `${claim.verdict}: ${claim.flaw}` : claim.verdict) : "",
                el("br"), ...spans(statement));
            items.push([`${claim.id} ${claim.title} ${statement} ${claim.verdict}`.toLowerCase(), item]);
            return item;
        });
        const notes = blocks(paper.lines);
        nodes.push(el("section", {}, el("h3", {}, paper.title),
            notes.length ? el("details", {}, el("summary", {}, "Notes"), ...notes) : "",
            el("ul", { class: "claims" }, ...lines)));
    }
    return nodes;
}

/**
 * Shows paragraphs and lists, and tables unchanged.
 * @param {string[]} lines
 * @returns {HTMLElement[]}
 */
function blocks(lines) {
    /** @type {HTMLElement[]} */
    const found = [];
    /** @type {string[]} */
    let paragraph = [];
    const end = () => {
        if (paragraph.length) found.push(el("p", {}, ...spans(paragraph.join(" "))));
        paragraph = [];
    };
    for (const line of lines) {
        if (line.startsWith("- ")) {
            end();
            const last = found.at(-1);
            const item = el("li", {}, ...spans(line.slice(2)));
            if (last?.tagName === "UL") last.append(item);
            else found.push(el("ul", {}, item));
        } else if (line.startsWith("|")) {
            end();
            const last = found.at(-1);
            if (last?.tagName === "PRE") last.append(`\n${line}`);
            else found.push(el("pre", { tabindex: 0 }, line));
        } else if (line.trim() === "") end();
        else paragraph.push(line);
    }
    end();
    return found;
}

/** Matches a position of a game in a finding. */
const POSITION = /^(: |:? )?([1-9]\d*(?:,[1-9]\d*)*(?:\/\d+|\{[\d,. ]*\})?)/;

/**
 * Shows bold text, code and links to positions; other text is unchanged.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function spans(text) {
    const ids = games().map((game) => game.id).sort((a, b) => b.length - a.length);
    const pattern = new RegExp("(\\*\\*[^*]+\\*\\*|`[^`]+`|\\*[^*]+\\*|(?<![\\w-])(?:" + ids.join("|") + ")(?![\\w-]))");
    /** @type {(Node | string)[]} */
    const found = [];
    let rest = text;
    for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
        found.push(rest.slice(0, match.index));
        const token = match[0];
        rest = rest.slice(match.index + token.length);
        if (token.startsWith("**")) found.push(el("strong", {}, token.slice(2, -2)));
        else if (token.startsWith("*")) found.push(el("em", {}, token.slice(1, -1)));
        else if (token.startsWith("`")) {
            const code = token.slice(1, -1);
            found.push(/^[a-z]+\.[\w.-]+$/.test(code) ?
                el("a", { href: address("claims", code) }, el("code", {}, code)) : el("code", {}, code));
        } else {
            const position = text.startsWith("Least counterexample") ? POSITION.exec(rest) : null;
            if (position) {
                found.push(`${token}${position[1] ?? ""}`,
                    el("a", { href: address("position", token, position[2]) }, position[2]));
                rest = rest.slice(position[0].length);
            } else found.push(token);
        }
    }
    found.push(rest);
    return found;
}
