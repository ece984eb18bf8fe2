// The positions that were visited in a view, as entries of the browser's history. Each entry stores
// the number of steps before it, so that going back never leaves the view.

export class Trail {
    #begun = false;
    #going = false;
    depth = 0;

    /** Determines the number of steps before the current entry. */
    arrive() {
        this.#going = false;
        const known = history.state?.depth;
        if (Number.isInteger(known)) this.depth = known;
        else if (this.#begun) this.depth++;
        this.#begun = true;
        history.replaceState({ ...history.state, depth: this.depth }, "");
    }

    /** Adds an entry at once. Setting the hash would add it later. @param {string} address */
    push(address) {
        // The browser may already be at another entry, which the page does not show yet.
        const depth = history.state?.depth ?? this.depth;
        history.pushState({ depth: depth + 1 }, "", address);
    }

    /** Goes back one step, but never out of the view. */
    back() {
        // If the browser has already left the entry that the page shows, the step would begin at the wrong entry.
        if (this.#going || history.state?.depth !== this.depth || !this.may) return;
        this.#going = true;
        history.back();
    }

    /** True if `back` can go back a step. */
    get may() {
        return this.depth > 0;
    }
}
