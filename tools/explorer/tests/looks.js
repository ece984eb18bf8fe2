// Runs in each page before the page's own scripts. Defines functions that look at the page, and a
// function that makes the page slow.

window.looks = {
    /** True if nothing is drawn on any map or graph. */
    blank() {
        return [...document.querySelectorAll("canvas:not(.scale)")].every((canvas) => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return data.every((byte) => byte === 0);
        });
    },

    /** Finds ink on the edges of a graph, where it would be letters that are cut off. */
    edges() {
        const canvas = document.querySelector("canvas.plot");
        const context = canvas.getContext("2d");
        const { width, height } = canvas;
        const ink = (x, y, w, h) => context.getImageData(x, y, w, h).data.some((byte) => byte !== 0);
        // Look only beside and below the axes, because grid lines and points may reach the edge.
        return { left: ink(0, 0, 1, height), below: ink(0, height - 1, width, 1),
            right: ink(width - 1, height - 24 * width / canvas.clientWidth, 1, 24 * width / canvas.clientWidth) };
    },

    /** True if something is drawn on the canvas. */
    inked(canvas) {
        return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0);
    },

    /** Counts the colours in a square of the map. Centre and side are fractions of the map's side. */
    colours(x, y, side) {
        const canvas = document.querySelector("canvas.heat");
        const [left, top, width] = [x - side / 2, y - side / 2, side].map((part) => Math.round(part * canvas.width));
        const { data } = canvas.getContext("2d").getImageData(left, top, Math.max(width, 1), Math.max(width, 1));
        return new Set(new Uint32Array(data.buffer)).size;
    },

    /** Sets the address and waits until the page has answered. */
    async ask(hash) {
        if (location.hash !== hash) {
            const heard = new Promise((done) => addEventListener("hashchange", () => done(), {once: true}));
            location.hash = hash;
            await heard;
        }
        // Wait until the code of the view is loaded, and its answer has arrived.
        const busy = () => document.getElementById("position")?.hasAttribute("aria-busy") ?? true;
        while (busy()) await new Promise((done) => setTimeout(done, 1));
        const text = (id) => document.getElementById(id)?.textContent ?? null;
        return [text("value"), text("outcome"), text("shown"), document.querySelector(".error")?.textContent];
    },

    /** Records all later announcements for screen readers in `window.heard`. */
    hear() {
        window.heard = [];
        const live = document.getElementById("live");
        new MutationObserver(() => window.heard.push(live.textContent)).observe(live, { childList: true });
    },

    /** Delays the events of address changes, and the questions to workers. Keeps their order. */
    late(milliseconds) {
        const add = EventTarget.prototype.addEventListener;
        EventTarget.prototype.addEventListener = function (type, heard, ...means) {
            const late = type !== "hashchange" ? heard : (event) => setTimeout(() => heard(event), milliseconds);
            return add.call(this, type, late, ...means);
        };
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (...said) {
            setTimeout(() => post.apply(this, said), milliseconds);
        };
    },
};
