// Elements. Text is only ever set as text.

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * An element: attributes, listeners (`onclick`), children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(key.slice(2), value);
        else if (value === true) element.setAttribute(key, "");
        else if (value !== false && value !== null && value !== undefined) {
            element.setAttribute(key, String(value));
        }
    }
    element.append(...children.filter((child) => child || child === "").map((child) => child || ""));
    return element;
}

/**
 * A field with its label.
 * @param {string} text
 * @param {HTMLElement} field
 */
export function labelled(text, field) {
    return el("label", { class: "field" }, el("span", {}, text), field);
}

/**
 * A list to choose from.
 * @param {[string, string][]} options value and words
 * @param {string} chosen
 * @param {(value: string) => void} change
 * @param {string} id
 */
export function choice(options, chosen, change, id) {
    const select = el("select", { id, onchange: () => change(select.value) });
    for (const [value, words] of options) {
        select.append(el("option", { value, selected: value === chosen }, words));
    }
    return select;
}

/**
 * What a screen reader says now.
 * @param {string} text
 */
export function say(text) {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
}

/**
 * A sentence about what is wrong.
 * @param {string} text
 */
export function problem(text) {
    return el("p", { class: "error", role: "alert" }, text);
}

/** @param {number} number */
export function grouped(number) {
    return number.toLocaleString("en-US");
}
