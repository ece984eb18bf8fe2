// What an address asks for: its parts, and what may stand there.

import { problem } from "./dom.js";

/** That an address asks for what cannot be. */
class Wrong extends Error {}

/** A part of an address as it is told: not all of a long one. @param {string} text */
function told(text) {
    return text === "" ? "empty" : `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

/**
 * A whole number.
 * @param {string} text
 * @param {string} what it is, as in "the size"
 * @param {number} from
 * @param {number} to
 */
export function whole(text, what, from, to) {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
    if (number >= from && number <= to) return number;
    throw wrong(text, what, `there stands a whole number from ${from} to ${to}`);
}

/** Why a part is refused. @param {string} text @param {string} what @param {string} may what may stand there */
export function wrong(text, what, may) {
    return new Wrong(`In this address ${what} is ${told(text)}; ${may}.`);
}

/**
 * Refuses more parts than there are names for.
 * @param {string[]} parts
 * @param {string[]} names
 */
export function only(parts, names) {
    if (parts.length <= names.length) return;
    throw new Wrong(`This address has ${told(parts[names.length])} behind its end; there ` +
        `${names.length > 1 ? "stand, with slashes between them," : "stands"} ${names.join(", ")}, ` +
        "and a slash within a part is written %2F.");
}

/**
 * Reads an address, and shows what is wrong with it.
 * @param {HTMLElement} trouble where to
 * @param {() => void} read
 * @returns whether nothing is
 */
export function reads(trouble, read) {
    trouble.replaceChildren();
    try {
        read();
        return true;
    } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        trouble.replaceChildren(problem(error.message));
        return false;
    }
}

/** Puts a number of an address into a field that takes only such. @param {HTMLInputElement} field @param {string} text */
export function fill(field, text) {
    field.value = /^\d{1,12}$/.test(text) ? text : "";
}
