// Shows the findings about the papers (docs/FINDINGS.md) as pages.

import { only, reads } from "./asked.js";
import { el, labelled, problem, say } from "./dom.js";
import { address, counted, game as named, games } from "./games.js";
import { typeset } from "./maths.js";
import { row } from "./piles.js";
import { list as lines } from "./view.js";

/** @typedef {{ id: string, title: string, paper: string, lines: string[], verdict: string,
 *    flaw: string, status: string, checks: [string, string, string, string][], families: string[][] }} Claim
 *  @typedef {{ title: string, lines: string[], claims: Claim[] }} Paper */

/** The largest piles with which the page checks a statement about 1, 2, 3 and 4 piles. */
const LARGEST = ["64", "64", "24", "12"];
/** The largest pile if the positions have sets of moves. */
const LARGEST_OF_SETS = "12";

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
    if (!response.ok) throw new Error(`Cannot load the findings: ${response.status}.`);
    const found = papers((await response.text()).replaceAll("\\*(", "*("));
    const families = await lines("families");
    for (const claim of found.flatMap((paper) => paper.claims)) {
        claim.families = families.filter(([, , , id]) => id === claim.id);
        known.set(claim.id, claim);
    }
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
        // Skip the anchors, which only links into the file need.
        if (/^<a id="[^"]*"><\/a>$/.test(line)) continue;
        const head = /^### `([^`]+)`(?:: (.*))?$/.exec(line);
        const paper = /^## (.*)$/.exec(line);
        const current = found.at(-1);
        if (paper) {
            found.push({ title: paper[1], lines: [], claims: [] });
            claim = null;
        } else if (head && current) {
            claim = { id: head[1], title: head[2] ?? "", paper: current.title, lines: [], verdict: "", flaw: "", status: "", checks: [], families: [] };
            current.claims.push(claim);
        } else if (claim) {
            claim.lines.push(line);
            claim.checks.push(...statements(line));
            // A claim about finitely many positions is false beyond them, and the page does not know its range.
            if (/: the whole claim: /.test(line)) claim.checks.length = 0;
            claim.verdict ||= /^\*\*(holds|fails|stopped)\b/.exec(line)?.[1] ?? "";
            const flawed = /^\*\*fails\*\* \((.*); ([^;)]*)\)/.exec(line);
            claim.flaw ||= flawed?.[2] ?? "";
            claim.status ||= flawed?.[1] ?? "";
        } else current?.lines.push(line);
    }
    return found;
}

/**
 * Returns the statement that a line of a claim contains, for each game: the game, the statement, the
 * numbers of piles, and the largest pile with which the page checks it.
 * @param {string} line
 * @returns {[string, string, string, string][]}
 */
function statements(line) {
    const found = /^In ([a-z, -]+?)(?:, (\d+)(?: to (\d+)| (or more))? piles?)?(, at the beginning)?(?:, sets of (\d+) moves)?: `([^`]+)`$/.exec(line);
    if (!found) return [];
    const [, of, from = "1", to, more, beginning, moves, said] = found;
    const domain = beginning ? "last_move == 0" : moves ? `size == ${moves}` : "";
    const statement = domain ? `${domain} -> (${said})` : said;
    const last = to ?? (more || found[2] === undefined ? String(Math.max(Number(from), LARGEST.length)) : from);
    const most = /\bmoves\b/.test(statement) ? LARGEST_OF_SETS : LARGEST[Number(last) - 1] ?? LARGEST[LARGEST.length - 1];
    return of.split(", ").map((game) => [game, statement, `${from}-${last}`, most]);
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
        if (!ended) body.replaceChildren(problem(error));
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
            el("h3", {}, `${claim.title} · ${claim.id} `, badge(claim)), el("p", { class: "note" }, claim.paper),
            ...blocks(claim.lines.filter((line) => !/^\*\*fails\*\* \([^)]*\)\.$/.test(line))), ...coins(claim), ...here(claim), back());
    };
    return {
        end: () => { ended = true; },
        move: (rest) => {
            parts = rest;
            findings().then(show, () => {});
            return true;
        },
    };
}

/** Returns the statement of a claim, its first line of text. @param {Claim} claim */
export function said(claim) {
    return claim.lines.find((line) => line.trim() !== "") ?? "";
}

function back() {
    return el("p", {}, el("a", { href: address("claims") }, "All claims"));
}

/** Shows the verdict on a claim. @param {Claim} claim */
function badge({ verdict, flaw, lines }) {
    const all = lines.some((line) => line.includes("proved for piles of all sizes")) ? " for all sizes" : "";
    return verdict && el("span", { class: `badge ${verdict}` }, `${verdict}${all}${flaw && `: ${flaw === "false" ? "the statement is false" : flaw}`}`);
}

/** Returns the line of a claim about its least counterexample. @param {Claim} claim */
function least(claim) {
    return claim.lines.find((line) => line.startsWith("Least counterexample")) ?? "";
}

/** Links to the checks of a claim on the page, if the language can express the claim, and to its families. @param {Claim} claim */
function here(claim) {
    const families = claim.families.map(([game, family]) => el("p", {}, el("a", { class: "here button", href: address("families", game, family) },
        `Prove a part here: no automaton exists, by the rows ${family}`), ` of ${named(game)?.title}`));
    const checks = claim.checks.map((check) => el("p", {}, el("a", { class: "here button", href: address("check", ...check) }, "Check it here"),
        ` in ${named(check[0])?.title} on piles up to ${check[3]}`));
    return [...families, ...checks];
}

/**
 * Finds the position or the row that a finding begins with, after the name of its game.
 * @param {string} game
 * @param {string} text
 * @returns {{ before: string, shown: string, href: string, piles: number[], row: boolean } | null}
 */
function place(game, text) {
    const found = POSITION.exec(text);
    if (!found) return null;
    const [whole, before = "", piles, memory = ""] = found;
    // In the findings, *(n,k) means a pile of n after a move of k coins.
    const move = new RegExp(`^: \\*\\(${piles},(\\d+)\\)`).exec(text.slice(whole.length));
    const position = piles + (move ? `/${move[1]}` : memory);
    const row = /^: least period/.test(text.slice(whole.length));
    return { before, shown: row ? `${piles},b` : position, piles: piles.split(",").map(Number), row,
        href: row ? address("row", game, piles, "200") : address("position", game, position) };
}

/** True if the page can check a claim. @param {Claim} claim */
function checked({ families, checks }) {
    return checks.length + families.length > 0;
}

/** Draws the least counterexample as coins, if it is a position or a row. @param {Claim} claim */
function coins(claim) {
    const ids = games().map((game) => game.id).join("|");
    const found = new RegExp(`^Least counterexample: (${ids})(?= |: )`).exec(least(claim));
    const at = found && place(found[1], least(claim).slice(found[0].length).replace(/^ /, ""));
    if (!at) return [];
    return [el("a", { class: "counterexample", href: at.href },
        row(at.piles), el("span", { class: "away" }, `: ${at.row ? "the row " : ""}${at.shown} in ${found[1]}`))];
}

/** Returns a text for comparing words: in lower case, without accents. @param {string} text */
function plainly(text) {
    return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {Paper[]} found */
function list(found) {
    const all = found.flatMap((paper) => paper.claims);
    const published = all.filter((claim) => claim.verdict === "fails" && !claim.status.startsWith("our reading"));
    const failing = published.filter((claim) => !claim.flaw.startsWith("depends"));
    const depending = published.filter((claim) => !failing.includes(claim));
    const read = all.filter((claim) => claim.verdict === "fails").length - published.length;
    const nothing = el("p", { id: "nothing", hidden: true }, "No claim contains these words.");
    /** @type {[HTMLElement, [string, HTMLElement][]][]} */
    const sections = [];
    const show = () => {
        const wanted = plainly(filter.value).match(/\S+/g) ?? [];
        cards.hidden = wanted.length > 0 || some.checked;
        for (const [section, items] of sections) {
            for (const [text, item] of items) item.hidden = !wanted.every((word) => text.includes(word)) || some.checked && !item.hasAttribute("data-here");
            section.hidden = items.every(([, item]) => item.hidden);
        }
        nothing.hidden = sections.some(([section]) => !section.hidden);
        const shown = sections.flatMap(([, items]) => items).filter(([, item]) => !item.hidden);
        if (wanted.length > 0 || some.checked) say(counted(shown.length, "claim"));
    };
    const filter = el("input", { id: "filter", type: "search", oninput: show });
    const some = el("input", { id: "only", type: "checkbox", onchange: show });
    const card = (/** @type {Claim} */ claim) => el("li", {}, badge(claim), " ",
        el("a", { href: address("claims", claim.id) }, `${claim.paper.split(/[,:]/)[0]}, ${claim.title}`),
        el("p", {}, ...spans(said(claim))), ...coins(claim), el("p", { class: "note" }, ...spans(least(claim))), ...here(claim));
    const cards = el("section", { id: "failing" },
        el("h3", {}, `See for yourself: ${failing.length} published statements fail`),
        el("ul", { class: "cards" }, ...failing.map(card)),
        ...(depending.length === 0 ? [] : [el("h3", {}, `Depending on the convention: ${depending.length} more`),
            el("ul", { class: "cards" }, ...depending.map(card))]),
        read === 0 ? "" : el("p", { class: "note" }, `In the list below, ${read} more fail: they are our own readings of a text.`));
    for (const paper of found) {
        if (paper.claims.length === 0) continue;
        /** @type {[string, HTMLElement][]} */
        const items = paper.claims.map((claim) => {
            const statement = said(claim);
            const place = claim.checks.length > 0 ? ["check", ...claim.checks[0]] : ["families", ...claim.families[0]?.slice(0, 2) ?? []];
            return [plainly(`${paper.title} ${claim.id} ${claim.title} ${statement} ${claim.verdict} ${claim.flaw}`),
                el("li", { "data-here": checked(claim) }, badge(claim), " ", el("a", { href: address("claims", claim.id) }, claim.id), ` ${claim.title} `,
                    checked(claim) ? el("a", { class: "badge here", href: address(...place) }, claim.checks.length > 0 ? "check it here" : "prove a part here") : "",
                    el("br"), ...spans(statement))];
        });
        const notes = blocks(paper.lines);
        sections.push([el("section", {}, el("h3", {}, paper.title),
            notes.length ? el("details", {}, el("summary", {}, "Notes"), ...notes) : "",
            el("ul", { class: "claims" }, ...items.map(([, item]) => item))), items]);
    }
    const holding = all.filter((claim) => claim.verdict === "holds").length;
    return [el("p", {}, `${counted(all.length, "statement")}, most of them of papers, each checked on every position of a range: ${holding} hold there.`),
        el("div", { class: "bar" }, labelled("Find", filter),
            el("label", { class: "check" }, some, ` only the ${all.filter(checked).length} that this page can check`)), cards, nothing, ...sections.map(([section]) => section)];
}

/**
 * Shows paragraphs, lists and tables.
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
            const cells = line.split("|").slice(1, -1).map((text) => text.trim());
            const last = found.at(-1);
            if (last?.className !== "wide") {
                found.push(el("div", { class: "wide", tabindex: 0 }, el("table", {},
                    el("thead", {}, el("tr", {}, ...cells.map((text) => el("th", { scope: "col" }, ...spans(text))))), el("tbody"))));
            } else if (!/^[-: ]*$/.test(cells.join(""))) {
                last.querySelector("tbody")?.append(el("tr", {}, ...cells.map((text) => el("td", {}, ...spans(text)))));
            }
        } else if (line.trim() === "") end();
        else paragraph.push(line);
    }
    end();
    return found;
}

/** Matches a position in a finding: its piles, and the last move or the set of moves. */
const POSITION = /^(: |:? )?([1-9]\d*(?:,[1-9]\d*)*)(?:(?:: )?(\/\d+|\{[\d,. ]*\}))?(?![\w,])/;

/**
 * Shows bold text, code, formulas and links to positions.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function spans(text) {
    const ids = games().map((game) => game.id).sort((a, b) => b.length - a.length);
    const pattern = new RegExp("(\\*\\*[^*]+\\*\\*|`[^`]+`|\\*(?!\\()[^*]+\\*|\\[[^\\]]+\\]\\([^)]+\\)|\\b(?:" + ids.join("|") + ")(?![\\w-]))");
    /** @type {(Node | string)[]} */
    const found = [];
    let rest = text;
    for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
        found.push(...typeset(rest.slice(0, match.index)));
        const token = match[0];
        rest = rest.slice(match.index + token.length);
        if (token.startsWith("**")) found.push(el("strong", {}, token.slice(2, -2)));
        else if (token.startsWith("*")) found.push(el("em", {}, token.slice(1, -1)));
        else if (token.startsWith("[")) {
            const [, words, target] = /** @type {RegExpExecArray} */ (/^\[([^\]]+)\]\(([^)]+)\)$/.exec(token));
            // Other documents are not part of the page, so it shows only the name of the document.
            if (target.startsWith("#")) found.push(el("a", { href: address("claims", target.slice(1)) }, words));
            else found.push(words.endsWith(".md") ? `docs/${target.split("#")[0]}` : `${words} (docs/${target.replace("#", ", ")})`);
        } else if (token.startsWith("`")) {
            const code = token.slice(1, -1);
            found.push(/^[a-z]+\.[\w.-]+$/.test(code) ?
                el("a", { href: address("claims", code) }, el("code", {}, code)) : el("code", {}, code));
        } else {
            const at = text.startsWith("Least counterexample") ? place(token, rest) : null;
            if (at) {
                found.push(`${token}${at.before}`, el("a", { href: at.href }, at.shown));
                rest = rest.slice((POSITION.exec(rest)?.[0] ?? "").length);
            } else found.push(token);
        }
    }
    return [...found, ...typeset(rest)];
}
