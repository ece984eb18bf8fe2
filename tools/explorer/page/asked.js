// The parts of an address, and the values that each part may have.

import { problem } from "./dom.js";

/** An invalid part of an address, or value of a field. */
class Wrong extends Error {}

/** Quotes a part of an address, shortened if it is long. @param {string} text */
function told(text) {
    return text === "" ? "empty" : `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

/** Parses a whole number, which may be written as a power, as in 10^6, or with commas. Returns NaN for other texts. @param {string} text */
export function read(text) {
    const [, base, power] = /^(\d{1,12})(?:\^(\d{1,2}))?$/.exec(/^\d{1,3}(,\d{3})+$/.test(text) ? text.replace(/,/g, "") : text.trim()) ?? [];
    const number = Number(base) ** Number(power ?? 1);
    return Number.isSafeInteger(number) ? number : NaN;
}

/**
 * Returns a text with powers as numbers, as in 10^9,3. Groups of three digits are one number if a group is 000, as in
 * 1,000,500, because no pile is empty.
 * @param {string} text
 */
export function powers(text) {
    const whole = text.replace(/(^|[^\d^])(\d{1,3}([, ])\d{3}(?:\3\d{3})*)(?!\d|[, ]\d{3}(?!\d))/g, (all, before, groups) =>
        /[, ]000/.test(groups) ? before + groups.replace(/[, ]/g, "") : all);
    return whole.replace(/\b\d{1,12}\^\d{1,2}\b/g, (power) => Number.isNaN(read(power)) ? power : String(read(power)));
}

/**
 * Parses a whole number of an address.
 * @param {string} text
 * @param {string} what the name of the number, as in "the size"
 * @param {number} from
 * @param {number} to
 */
export function whole(text, what, from, to) {
    const number = read(text);
    if (number >= from && number <= to) return number;
    throw wrong(text, what, `write a whole number from ${from} to ${to}`);
}

/** Returns the error for an invalid part. @param {string} text @param {string} what @param {string} may advice */
export function wrong(text, what, may) {
    return new Wrong(`${what.charAt(0).toUpperCase()}${what.slice(1)} is ${told(text)}; ${may}.`);
}

/**
 * Refuses an address that has more parts than names.
 * @param {string[]} parts
 * @param {string[]} names
 */
export function only(parts, names) {
    if (parts.length <= names.length) return;
    throw new Wrong(`This address has ${told(parts[names.length])} after its last part; the ` +
        `${names.length > 1 ? "parts, with slashes between them, are" : "part is"} ${names.join(", ")}; ` +
        "write a slash within a part as %2F.");
}

/**
 * Reads an address, and shows its error, if any.
 * @param {HTMLElement} trouble the place of the error
 * @param {() => void} read
 * @returns true if the address is valid
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

/** Puts a number of an address into a number field. @param {HTMLInputElement} field @param {string} text */
export function fill(field, text) {
    field.value = Number.isNaN(read(text)) ? "" : text;
}
