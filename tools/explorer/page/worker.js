// Runs the crates. A question is a line of JSON. An answer is a line of JSON and an array of numbers.

/** @typedef {{ memory: WebAssembly.Memory, input: (bytes: number) => number, ask: () => void,
 *     text: () => number, text_bytes: () => number, numbers: () => number,
 *     numbers_count: () => number }} Exports */

/** @type {Promise<Exports> | undefined} */
let crates;
let number = 0;
let told = 0;

/** The functions that the crates import. */
const page = {
    now: () => performance.now() / 1000,
    /** @param {number} done @param {number} total */
    progress: (done, total) => {
        const now = performance.now();
        if (now - told < 50) return;
        told = now;
        postMessage({ number, progress: [done, total] });
    },
};

/** @param {string} question */
async function answer(question) {
    const { memory, input, ask, text, text_bytes, numbers, numbers_count } =
        await /** @type {Promise<Exports>} */ (crates);
    const bytes = new TextEncoder().encode(question);
    const at = input(bytes.length);
    // A question longer than the buffer is refused.
    const room = new Uint8Array(memory.buffer, at, Math.min(bytes.length, (64 << 10) + 1));
    room.set(bytes.subarray(0, room.length));
    const begun = performance.now();
    ask();
    const seconds = (performance.now() - begun) / 1000;
    const said = new TextDecoder().decode(new Uint8Array(memory.buffer, text(), text_bytes()));
    const found = memory.buffer.slice(numbers(), numbers() + 4 * numbers_count());
    postMessage({ number, text: said, numbers: found, seconds }, { transfer: [found] });
}

self.onmessage = async (event) => {
    if (event.data.module) {
        /** @type {WebAssembly.Module} */
        const module = event.data.module;
        crates = WebAssembly.instantiate(module, { page })
            .then((instance) => /** @type {Exports} */ (/** @type {unknown} */ (instance.exports)));
        return;
    }
    number = event.data.number;
    try {
        await answer(event.data.question);
    } catch (error) {
        postMessage({ number, trap: error instanceof Error ? error.message : String(error) });
    }
};
