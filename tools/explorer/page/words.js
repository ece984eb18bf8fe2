// Lets the user touch a word of the glossary where it stands, and shows its meaning.

import { el } from "./dom.js";
import { list } from "./view.js";

/** Milliseconds from the last change of a view until its words are looked for. */
const PAUSE = 300;

/** The places without words to touch: these have a purpose of their own. */
const OTHERS = "a, button, summary, select, textarea, label, code, pre, h2, h3, #board, .log, .verdict";

const meaning = el("p", { id: "meaning-of", popover: "auto", role: "status" });
let timer = 0;

/** @param {HTMLElement} main */
const marks = (main) => {
    clearTimeout(timer);
    timer = window.setTimeout(async () => (await list("words")).forEach((line) => mark(main, line)), PAUSE);
};

/** Watches a view, and turns the first occurrence of each word of the glossary into a button. @param {HTMLElement} main */
export function watch(main) {
    if (!meaning.isConnected) new MutationObserver(() => marks(main)).observe(main, { childList: true, subtree: true });
    // The view may be there already, so this is a change to begin with.
    main.after(meaning);
    marks(main);
}

/** @param {HTMLElement} main @param {string[]} line a pattern for a word, and the meaning of the word */
function mark(main, [pattern, means]) {
    if (main.querySelector(`[data-word="${pattern}"]`)) return;
    const isWord = new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`);
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = /** @type {Text} */ (texts.currentNode);
        const found = isWord.exec(text.data);
        if (!found || text.parentElement?.closest(OTHERS) || !text.parentElement?.checkVisibility()) continue;
        text.splitText(found.index).splitText(found[0].length);
        text.nextSibling?.replaceWith(el("button", { type: "button", class: "word", "data-word": pattern, title: means, popovertarget: meaning.id,
            onclick: () => meaning.replaceChildren(el("strong", {}, found[0]), `: ${means}.`) }, found[0]));
        return;
    }
}
