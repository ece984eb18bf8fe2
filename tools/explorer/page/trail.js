// The way through the positions of a view, in the browser's own history: each entry knows how many steps
// lie before it, so that going back never leaves the view, and which move of which game it is.

/** @typedef {{ game: number, step: number }} Place a move of a game; game 0 is none */

export class Trail {
    /** Whose entries these are: a view that was left, or a page that was loaded anew, knows no games. */
    #key = crypto.randomUUID?.() ?? String(Math.random());
    #begun = false;
    #going = false;
    depth = 0;

    /** Where the browser is; `null` if it has just come, other than by a move. @returns {Place | null} */
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

    /** Says what the entry is that is shown. @param {Place} place */
    mark(place) {
        history.replaceState({ key: this.#key, depth: this.depth, ...place }, "");
    }

    /** A new entry, at once: a hash that is set arrives later. @param {string} address @param {Place} [place] */
    push(address, place) {
        // From where the browser is, which the page may not have come to yet.
        const depth = history.state?.depth ?? this.depth;
        history.pushState({ key: this.#key, depth: depth + 1, ...place }, "", address);
    }

    /** Goes back, once for each time that it is asked and not out of the view. @param {number} steps */
    back(steps) {
        // Where the browser is elsewhere already, the steps are counted from a place that was left.
        if (this.#going || history.state?.depth !== this.depth || !this.may(steps)) return;
        this.#going = true;
        history.go(-steps);
    }

    /** @param {number} steps */
    may(steps) {
        return steps > 0 && steps <= this.depth;
    }
}
