// Runs the crates in a worker. A new question cancels the previous one.

/**
 * @typedef {{ [key: string]: any }} Answer
 * @typedef {{ answer: Answer, numbers: Uint32Array, seconds: number }} Reply
 * @typedef {{ resolve: (reply: Reply) => void, reject: (error: Error) => void,
 *     progress?: (done: number, total: number) => void, timer: number }} Waiting
 */

/** The error of a question that was cancelled for another. */
export class Cancelled extends Error {}

/** Seconds that the page waits at most. The crates refuse questions with a higher estimate sooner. */
const PATIENCE = 40;

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** Compiles the crates, once. */
export function crates() {
    compiled ??= (async () => {
        const response = await fetch(new URL("grundy.wasm", import.meta.url));
        if (!response.ok) throw new Error(`grundy.wasm cannot be had: ${response.status}`);
        return WebAssembly.compile(await response.arrayBuffer());
    })();
    return compiled;
}

/** A worker that answers questions. */
export class Engine {
    /** @type {Worker | null} */
    #worker = null;
    /** @type {Waiting | null} */
    #waiting = null;
    #number = 0;

    /**
     * Asks a question, and cancels one that has no answer yet.
     * @param {object} question
     * @param {{ progress?: (done: number, total: number) => void, patience?: number }} [means]
     * @returns {Promise<Reply>}
     */
    async ask(question, { progress, patience = PATIENCE } = {}) {
        this.cancel();
        const number = ++this.#number;
        const module = await crates();
        if (number !== this.#number) throw new Cancelled("given up");
        const worker = this.#worker ?? this.#start(module);
        return new Promise((resolve, reject) => {
            const timer = window.setTimeout(() => {
                this.#stop(new Error(
                    `This takes more than ${patience} seconds in the browser, and was given up; ` +
                    "ask for less, or ask the program grundy."));
            }, patience * 1000);
            this.#waiting = { resolve, reject, progress, timer };
            worker.postMessage({ number, question: JSON.stringify(question) });
        });
    }

    /** Cancels the current question, if any. */
    cancel() {
        this.#number++;
        if (this.#waiting) this.#stop(new Cancelled("given up"));
    }

    /** Ends the worker. */
    end() {
        this.cancel();
        this.#worker?.terminate();
        this.#worker = null;
    }

    /** @param {Error} error */
    #stop(error) {
        const waiting = this.#waiting;
        this.#worker?.terminate();
        this.#worker = null;
        this.#waiting = null;
        if (waiting) {
            clearTimeout(waiting.timer);
            waiting.reject(error);
        }
    }

    /** @param {WebAssembly.Module} module */
    #start(module) {
        const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
        worker.onmessage = (event) => this.#hear(event.data);
        worker.onerror = () => this.#stop(new Error("The worker of this page cannot be started."));
        worker.postMessage({ module });
        this.#worker = worker;
        return worker;
    }

    /** @param {any} told */
    #hear(told) {
        const waiting = this.#waiting;
        if (!waiting || told.number !== this.#number) return;
        if (told.progress) {
            waiting.progress?.(told.progress[0], told.progress[1]);
            return;
        }
        if (told.trap) {
            this.#stop(new Error(`This could not be computed here (${told.trap}).`));
            return;
        }
        clearTimeout(waiting.timer);
        this.#waiting = null;
        const answer = JSON.parse(told.text);
        if (answer.error) {
            waiting.reject(new Error(answer.error));
            return;
        }
        waiting.resolve({ answer, numbers: new Uint32Array(told.numbers), seconds: told.seconds });
    }
}
