// Creates and fills elements of the page. Text is always set as text, never as HTML.

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * Creates an element with attributes, listeners (`onclick`) and children.
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
 * Adds a label to a field.
 * @param {string} text
 * @param {HTMLElement} field
 */
export function labelled(text, field) {
    return el("label", { class: "field" }, el("span", {}, text), field);
}

/** Creates a field for a whole number, which may also be written as a power. @param {Attributes} attributes */
export function counter(attributes) {
    return el("input", { type: "text", inputmode: "numeric", class: "number", maxlength: 15, autocomplete: "off", ...attributes });
}

/**
 * Creates a drop-down list.
 * @param {[string, string][]} options value and text
 * @param {string} chosen
 * @param {(value: string) => void} change
 * @param {string} id
 */
export function choice(options, chosen, change, id) {
    const select = el("select", { id, onchange: () => change(select.value) },
        ...options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));
    return select;
}

/**
 * Makes screen readers speak a text.
 * @param {string} text
 */
export function say(text) {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
}

/**
 * Creates a button that copies a text.
 * @param {string} id
 * @param {string} words on the button
 * @param {string} failed words if the browser does not let the page copy
 * @param {() => string} text
 */
export function copies(id, words, failed, text) {
    const button = el("button", { type: "button", id, onclick: async () => {
        try {
            await navigator.clipboard.writeText(text());
            button.textContent = "Copied";
        } catch {
            button.textContent = failed;
        }
        say(button.textContent);
        setTimeout(() => { button.textContent = words; }, 2000);
    } }, words);
    return button;
}

/** Maximum number of characters of a line of an error. */
const MOST_SAID = 200;

/** Leaves out the middle of a long line: its beginning says what is wrong, and its end what to do. @param {string} line */
function short(line) {
    return line.length <= MOST_SAID ? line : `${line.slice(0, MOST_SAID * 0.6)} … ${line.slice(3 - MOST_SAID * 0.4)}`;
}

/**
 * Creates an error message. If the message has several lines, they quote a text and mark the error in it.
 * @param {unknown} error an error, or its text
 */
export function problem(error) {
    const text = (error instanceof Error ? error.message : String(error)).split("\n").map(short).join("\n");
    return text.includes("\n") ? el("pre", { class: "error", role: "alert", tabindex: 0 }, text) :
        el("p", { class: "error", role: "alert" }, text);
}

/**
 * Shows that a computation runs, the seconds so far, and a button that stops it.
 * @param {HTMLElement} place
 * @param {string} text
 * @param {() => void} stop
 * @returns {() => void} a function that ends it and empties the place
 */
export function clock(place, text, stop) {
    const begun = performance.now();
    const time = el("span", {});
    place.replaceChildren(`${text}… `, time, el("button", { type: "button", class: "stop", onclick: () => {
        end();
        place.textContent = "Stopped.";
        stop();
    } }, "Stop"));
    const timer = setInterval(() => { time.textContent = `${Math.round((performance.now() - begun) / 1000)} s `; }, 1000);
    const end = () => {
        clearInterval(timer);
        // If a later question has already written to this place, keep the new content.
        if (place.contains(time)) place.replaceChildren();
    };
    return end;
}

/** Milliseconds until a computation shows its time. */
const SOON = 400;

/**
 * Shows a clock if the computation takes longer than a moment.
 * @param {HTMLElement} place
 * @param {string} text
 * @param {() => void} stop
 * @param {() => void} [begun] called before the clock is shown
 * @returns {() => void} a function that ends it
 */
export function soon(place, text, stop, begun) {
    let end = () => {};
    const timer = setTimeout(() => {
        begun?.();
        end = clock(place, text, stop);
    }, SOON);
    return () => {
        clearTimeout(timer);
        end();
    };
}

/** @param {number} number */
export function grouped(number) {
    return number.toLocaleString("en-US");
}
