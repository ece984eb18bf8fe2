// Lets a service worker keep the page's files: those of the first game after a visit, and the rest a moment later, or
// when the user asks for it. Tells the user that a new version waits.

import { el, say } from "./dom.js";

/** Milliseconds until the page keeps the files that the first game does without. */
const LATER = 6000;

/** True if the browser asks pages to load as little as possible. */
const saves = () => /** @type {any} */ (navigator).connection?.saveData === true;

/** Registers the service worker. */
async function registered() {
    const found = await navigator.serviceWorker.register("keep.js");
    await navigator.serviceWorker.ready;
    return found;
}

/** Keeps all files. Returns whether it succeeded. */
async function whole() {
    const { active } = await registered();
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data === true);
        active?.postMessage("all", [port2]);
    });
}

/** Begins to keep files. @param {HTMLElement} place the place of the button, and of the note about a new version */
export function offline(place) {
    if (!navigator.serviceWorker) return;
    const button = el("button", { type: "button", id: "keep", onclick: async () => {
        button.textContent = "Keeping…";
        button.textContent = await whole().catch(() => false) ? "Kept: the page now works without a network" : "The files could not be kept";
        say(button.textContent);
    } }, "Keep the page for use without a network");
    place.append(" ", button);
    // If a worker controls the page, another one takes over only when the user wants the new version.
    if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    /** @param {ServiceWorker | null} waiting */
    const tell = (waiting) => {
        if (!waiting || !navigator.serviceWorker.controller || document.getElementById("newer")) return;
        place.prepend(el("p", { id: "newer" }, "A new version of this page waits. ", el("button", { type: "button", onclick: () => waiting.postMessage("go") }, "Use it now")));
        say("A new version of this page waits.");
    };
    if (!saves()) {
        registered().then((found) => {
            // The browser may find the new version while this page still waits for its worker.
            const watch = (next = found.installing) => next?.addEventListener("statechange", () => { if (next.state === "installed") tell(next); });
            tell(found.waiting);
            watch();
            found.addEventListener("updatefound", () => watch());
        }, () => {});
        setTimeout(() => whole().catch(() => {}), LATER);
    }
}
