// Sets formulas that are written in plain characters as mathematics: a1 with a subscript, 2^k with an exponent, and the
// signs ≤, ≥, ≠, ⊕. The words between them stay as they are.

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** Characters that stand for signs, longest first. @type {[string, string][]} */
const SIGNS = [["<->", "⇔"], ["->", "→"], ["<=", "≤"], [">=", "≥"], ["!=", "≠"], [" xor ", " ⊕ "], ["...", "…"], [" - ", " − "]];

/** A letter with an index, as in a1 or ak, or a number or letter with an exponent. */
const FORMULA = /(?<![\w^])([A-Za-z])(\d+|k)(?![\w(^])|(?<![\w^])(\w+)\^(\w+|\([^()]*\))/g;

/** @param {string} name @param {...(Node | string)} children */
function math(name, ...children) {
    const element = document.createElementNS(MATHML, name);
    element.append(...children);
    return element;
}

/** A letter, a number or a text of a formula. @param {string} text */
function atom(text) {
    return math(/^\d+$/.test(text) ? "mn" : text.length === 1 ? "mi" : "mtext", text);
}

/** Writes signs for their names. @param {string} text */
function signs(text) {
    return SIGNS.reduce((text, [from, to]) => text.replaceAll(from, to), text);
}

/** Sets a text. @param {string} text @returns {(Node | string)[]} */
export function typeset(text) {
    /** @type {(Node | string)[]} */
    const found = [];
    let from = 0;
    for (const match of text.matchAll(FORMULA)) {
        const [whole, letter, index, base, exponent] = match;
        // Two letters may be a word.
        if (letter && index === "k" && !"ab".includes(letter)) continue;
        found.push(signs(text.slice(from, match.index)), math("math", letter ? math("msub", atom(letter), atom(index)) :
            math("msup", atom(base), atom(exponent.replace(/^\(|\)$/g, "")))));
        from = match.index + whole.length;
    }
    return [...found, signs(text.slice(from))];
}
