// The positions visited in a view, in the browser's history. Each entry has the number of steps before it,
// so that going back never leaves the view, and its move and game.

/** @typedef {{ game: number, step: number }} Place a move of a game; game 0 is none */

export class Trail {
    /** Marks the entries of this view; another view, or a reloaded page, does not know its games. */
    #key = crypto.randomUUID?.() ?? String(Math.random());
    #begun = false;
    #going = false;
    depth = 0;

    /** Returns the current place; `null` after an arrival other than by a move. @returns {Place | null} */
    arrive() {
        this.#going = false;
        const state = history.state;
        const known = Number.isInteger(state?.depth);
        if (known) this.depth = state.depth;
        else if (this.#begun) this.depth++;
        this.#begun = true;
        if (!known || state.step === undefined) return null;
        return state.key === this.#key ? { game: state.game, step: state.step } : { game: 0, step: 0 };
    }

    /** Records the place of the current entry. @param {Place} place */
    mark(place) {
        history.replaceState({ key: this.#key, depth: this.depth, ...place }, "");
    }

    /** Adds an entry at once; a new hash takes effect later. @param {string} address @param {Place} [place] */
    push(address, place) {
        // The browser may be at an entry that the page has not reached yet.
        const depth = history.state?.depth ?? this.depth;
        history.pushState({ key: this.#key, depth: depth + 1, ...place }, "", address);
    }

    /** Goes back, once per call, and never out of the view. @param {number} steps */
    back(steps) {
        // If the browser has already left this entry, the steps would count from the wrong one.
        if (this.#going || history.state?.depth !== this.depth || !this.may(steps)) return;
        this.#going = true;
        history.go(-steps);
    }

    /** @param {number} steps */
    may(steps) {
        return steps > 0 && steps <= this.depth;
    }
}
