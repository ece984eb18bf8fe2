// Runs the crates in a worker. A new question cancels the previous question.

/**
 * @typedef {{ [key: string]: any }} Answer
 * @typedef {{ answer: Answer, numbers: Uint32Array, seconds: number }} Reply
 * @typedef {{ resolve: (reply: Reply) => void, reject: (error: Error) => void,
 *     progress?: (done: number, total: number) => void, patience: number, question: string, timer: number }} Waiting
 */

/** The error of a question that another question cancelled. */
export class Cancelled extends Error {}

/** The maximum time to wait for an answer, in seconds. The crates have lower limits for most questions. */
const PATIENCE = 40;

/** The module with the crates that built-in games need. It names the module for the questions that it cannot answer. */
const CRATES = "grundy.wasm";

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** Compiles a module, only once. @param {string} name */
function crates(name) {
    let module = compiled.get(name);
    if (!module) {
        module = (async () => {
            const response = await fetch(new URL(name, import.meta.url));
            if (!response.ok) throw new Error(`Cannot load ${name}: ${response.status}`);
            return WebAssembly.compile(await response.arrayBuffer());
        })();
        compiled.set(name, module);
        // Load the module again at the next question, because the network may work again.
        module.catch(() => compiled.delete(name));
    }
    return module;
}

/** The names or texts of typed games and rulesets, by their part of an address. @type {Map<string, string>} */
export const typed = new Map();

/** An idle worker, kept so that the next view starts sooner. @type {Worker | null} */
let idle = null;

/** A worker that answers questions. */
export class Engine {
    /** @type {Worker | null} */
    #worker = null;
    /** @type {Waiting | null} */
    #waiting = null;
    #number = 0;
    /** True if the question is about a typed game. */
    #isTyped = false;

    /**
     * Sends a question to the worker. Cancels an earlier question that has no answer yet.
     * @param {Answer} question
     * @param {{ progress?: (done: number, total: number) => void, patience?: number }} [means]
     * @returns {Promise<Reply>}
     */
    async ask(question, { progress, patience = PATIENCE } = {}) {
        this.cancel();
        const number = ++this.#number;
        const text = typed.get(question.game);
        const module = await crates(CRATES);
        if (number !== this.#number) throw new Cancelled("given up");
        this.#worker ??= this.#start(module);
        this.#isTyped = text !== undefined;
        if (text !== undefined) question = { ...question, game: text };
        return new Promise((resolve, reject) => {
            this.#waiting = { resolve, reject, progress, patience, question: JSON.stringify(question), timer: 0 };
            this.#send(this.#waiting);
        });
    }

    /** Sends a question to the worker, and stops the worker when the patience ends. @param {Waiting} waiting */
    #send(waiting) {
        waiting.timer = window.setTimeout(() => {
            this.#stop(new Error(
                `This takes more than ${waiting.patience} seconds in the browser and was stopped; ` +
                "choose a smaller size, or use the program grundy."));
        }, waiting.patience * 1000);
        this.#worker?.postMessage({ number: this.#number, question: waiting.question });
    }

    /** Loads the module that the worker needs for a question, and asks again. @param {Waiting} waiting @param {string} name */
    async #enlarge(waiting, name) {
        try {
            const module = await crates(name);
            if (this.#waiting !== waiting) return;
            this.#worker?.postMessage({ module });
            this.#send(waiting);
        } catch (error) {
            if (this.#waiting === waiting) this.#stop(/** @type {Error} */ (error));
        }
    }

    /** Cancels the current question, if any. */
    cancel() {
        this.#number++;
        if (this.#waiting) this.#stop(new Cancelled("given up"));
    }

    /** Ends the worker. */
    end() {
        this.cancel();
        if (!this.#worker) return;
        // The next view uses the worker.
        idle?.terminate();
        idle = this.#worker;
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
        const kept = idle;
        idle = null;
        const worker = kept ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
        worker.onmessage = (event) => this.#hear(event.data);
        worker.onerror = () => this.#stop(new Error("The browser cannot start the worker of this page."));
        if (!kept) worker.postMessage({ module });
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
        const answer = JSON.parse(told.text);
        if (answer.module) {
            this.#enlarge(waiting, answer.module);
            return;
        }
        this.#waiting = null;
        if (answer.error) {
            // The crates append hexadecimal digits to the name of a typed game. Leave the digits out of
            // the message.
            waiting.reject(new Error(this.#isTyped ? answer.error.replace(/\b([a-z][\w-]*)-[0-9a-f]{8}\b/g, "$1") : answer.error));
            return;
        }
        waiting.resolve({ answer, numbers: new Uint32Array(told.numbers), seconds: told.seconds });
    }
}
