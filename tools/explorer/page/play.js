// Plays a game with coins against the computer, which plays perfectly, or against a person at the same screen. The
// address contains the whole game: the rules, who began, and every position. So Back takes back a move.

import { only, powers, reads, wrong } from "./asked.js";
import { choice, el, labelled, problem, say, soon } from "./dom.js";
import { Cancelled, Engine } from "./engine.js";
import { address, counted, entered, FIRST, game as named, listed, MOST_ADDRESS, names, PUZZLE, RIGHT, rules, start, sum, total } from "./games.js";
import { Board, shape } from "./board.js";
import { answered, form, viewed } from "./view.js";

/** @typedef {import("./engine.js").Answer} Answer */

/** Milliseconds until the computer moves, and until the taken coins disappear. */
const THINKS = 500;
const TAKES = 900;

/** Maximum number of coins in a game that the losing computer prolongs coin by coin. */
const MOST_SLOW = 60;

/** The words of the button for each further hint: the pile, the coins, the reason. */
const HINTS = ["Hint", "Which coins?", "Why?"];

/** Maximum number of positions of a game in an address. */
const MOST_MOVES = 200;

/** @type {[string, string][]} */
const MODES = [["first", "the computer; you begin"], ["second", "the computer; it begins"],
    ["beside", "someone beside you"]];

/** The modes of games in which Left and Right have different moves. @type {[string, string][]} */
const SIDES = [["first", "the computer; you are Left and begin"], ["second", "the computer; it is Left and begins"],
    [`first${RIGHT}`, "the computer; you are Right and begin"], [`second${RIGHT}`, "the computer; it is Right and begins"],
    ["beside", "someone beside you; Left begins"], [`beside${RIGHT}`, "someone beside you; Right begins"]];

/** The choices for the number of coins. */
const SIZES = ["10", "14", "24", "40"];

export class PlayView {
    engine = new Engine();
    game = "";
    mode = "";
    /** The positions of the game: the first one, and the one after each move. @type {string[]} */
    line = [];
    /** The answers about positions of this game. @type {Map<string, Answer>} */
    known = new Map();
    /** The moves that were made. A position alone may not determine the move that led to it. @type {(Answer | undefined)[]} */
    made = [];
    /** The text about the last turn, which begins the next announcement. */
    told = "";
    /** The index of the position that is shown; by default the last one. @type {number | null} */
    #at = null;
    /** The game and the positions to which that text belongs. */
    #toldOf = "";
    /** How many hints the user has asked for in this position. */
    hinted = 0;
    /** How the board looks, if it does not consist of piles. @type {import("./shapes.js").Shape | undefined} */
    #shape;
    /** The engine of the strategy, once it is loaded. @type {Engine | undefined} */
    #answers;
    /** Ends the clock of the last address. */
    #waited = () => {};
    /** Counts changes of the address. An answer for an earlier address is dropped. */
    arrival = 0;
    timer = 0;
    /** True while the field for the first position holds a text that the user has typed and not yet sent. */
    #typed = false;
    /** The puzzle of a day: its first position, its address and its date. */
    puzzle = { position: "", address: "", date: "" };
    /** The number of hints in this game. */
    helped = 0;

    /** @param {HTMLElement} main */
    constructor(main) {
        this.title = el("h2");
        this.day = el("p", { id: "day" });
        this.sides = el("p", { id: "sides" });
        this.rule = el("p", { id: "rule" });
        this.advice = el("span", { id: "touch" });
        this.turn = el("p", { id: "turn" });
        this.trouble = el("div");
        this.refused = el("div");
        this.board = new Board((made) => this.take(made));
        this.select = listed(names(), "", (id) => this.begin(id, this.#base, 0));
        this.modes = choice(MODES, "", (mode) => {
            const [first] = this.line;
            if (this.#isWinnable(mode)) this.go([first], { mode });
            else this.begin(this.game, mode, total(first) - 3);
        }, "against");
        this.field = el("input", { id: "first", type: "text", maxlength: 400, autocomplete: "off", spellcheck: "false",
            oninput: () => this.#typed = this.field.value !== "" });
        this.size = choice(SIZES.map((coins) => [coins, `${coins} coins`]), "14", () => this.another(), "size");
        this.undo = el("button", { type: "button", id: "undo", title: "Ctrl+Z", onclick: () => this.go(this.line.slice(0, this.#mine())) }, "Undo");
        this.hint = el("button", { type: "button", id: "hint", class: "primary", onclick: () => {
            this.hinted++;
            this.helped++;
            // No pile has a winning move, so only the reason is left.
            if (this.hinted === 2 && !this.moves().some((made) => made.winning)) this.hinted++;
            if (this.hinted === HINTS.length) this.open.open = true;
            // A position that is still being computed is drawn when its answer arrives.
            if (this.known.has(this.line[this.at] ?? "")) this.draw();
        } }, HINTS[0]);
        this.clue = el("p", { id: "clue" });
        this.colours = el("input", { type: "checkbox", id: "colours", onchange: () => this.mark() });
        /** @param {string} id @param {string} sign @param {string} name @param {() => number} to */
        const step = (id, sign, name, to) => el("button", { type: "button", id, "aria-label": name, title: name, onclick: () => this.step(to()) }, sign);
        this.steps = el("div", { class: "steps", role: "group", "aria-label": "Steps through the game" },
            step("to-first", "«", "To the beginning", () => 0), step("to-back", "‹", "One move back (left arrow)", () => this.at - 1),
            step("to-next", "›", "One move on (right arrow)", () => this.at + 1), step("to-last", "»", "To the last move", () => this.line.length - 1));
        this.again = el("div", { class: "bar", id: "again", hidden: true });
        this.fresh = el("a", { id: "fresh", class: "button", href: "#" }, "This position as a new game");
        this.sent = el("div", { id: "sent", class: "note", hidden: true }, "A copied link sends this game with all its moves. ", this.fresh);
        this.log = el("ol", { class: "log", id: "log", tabindex: 0, "aria-label": "What was played" });
        this.why = el("div");
        this.open = el("details", { id: "why", ontoggle: () => {
            if (!this.known.has(this.line[this.at] ?? "")) return;
            this.mark();
            this.explain();
        } },
            el("summary", {}, "Who wins here, and why?"), this.why);
        main.append(el("div", { class: "game" },
            el("section", { class: "table", "aria-label": "The game" }, this.title, this.trouble, this.turn,
                this.board.line, this.board.choices,
                el("div", { class: "bar actions" }, this.hint, this.again, this.undo, this.steps, this.board.both,
                    el("label", { class: "check" }, this.colours, " colour my moves")),
                this.clue),
            el("aside", {}, this.day, this.rule, this.sides, this.open, this.log, this.sent,
                el("details", { id: "new" }, el("summary", {}, "Another game or position"),
                    el("div", { class: "bar" }, labelled("Game", this.select), labelled("Play against", this.modes)),
                    form(() => this.#enter(), "Begin", labelled("Begin with", this.field)), this.refused,
                    el("div", { class: "bar" }, labelled("About", this.size),
                        el("button", { type: "button", id: "another", onclick: () => this.another() }, "Another position"),
                        el("a", { id: "puzzle", class: "button", href: address("play", PUZZLE) }, "Puzzle of the day"))))));
        document.addEventListener("keydown", this.#key);
    }

    /** Begins with the typed position, perhaps of another game. */
    async #enter() {
        this.#typed = false;
        const { game, piles } = await entered(this.field.value.trim());
        const position = powers(piles);
        const place = this.refused;
        place.replaceChildren();
        const reply = await answered(this.engine, { ask: "position", game: game || this.game, position }, { place, trouble: place });
        if (reply && place.isConnected) this.go([position], game && game !== this.game ? { game, mode: this.#base } : {});
        (reply ? this.title : place).scrollIntoView({ block: "nearest" });
    }

    /** Ctrl+Z takes a move back, and the arrows step through the game unless they move within a field, the board or a map. @param {KeyboardEvent} event */
    #key = (event) => {
        const target = /** @type {HTMLElement} */ (event.target);
        if (target.matches("input, select, textarea") || event.altKey || event.shiftKey) return;
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.undo.click();
        else if (by && !event.ctrlKey && !event.metaKey && !target.matches("#board *")) this.step(this.at + by);
        else return;
        event.preventDefault();
    };

    /** Uses the code for further games, which the first game does without, unless another address comes first. @param {(rounds: typeof import("./rounds.js")) => void} use */
    async #later(use) {
        const { arrival } = this;
        const rounds = await import("./rounds.js");
        if (arrival === this.arrival) use(rounds);
    }

    end() {
        clearTimeout(this.timer);
        document.removeEventListener("keydown", this.#key);
        this.arrival++;
        this.engine.end();
        this.#answers?.end();
    }

    /** @param {string[]} parts */
    show(parts) {
        const [game = FIRST[0], mode = "first", ...line] = parts;
        clearTimeout(this.timer);
        if (game === PUZZLE) {
            this.wipe();
            this.#set(FIRST[0], "first", [FIRST[1]]);
            this.day.textContent = "";
            this.#later((rounds) => rounds.puzzle(this, parts));
            return true;
        }
        const modes = this.#set(game, mode, line.length > 0 ? line.map(powers) : [start(game)]);
        const fine = reads(this.trouble, () => {
            if (!modes.some(([known]) => known === mode)) {
                throw wrong(mode, "the opponent", `write ${modes.slice(0, -1).map(([known]) => known).join(", ")} or ${modes[modes.length - 1][0]}`);
            }
            only(parts, ["a game", "an opponent", ...Array(MOST_MOVES).fill("positions")]);
        });
        if (fine) this.arrive();
        else this.wipe();
        return true;
    }

    /** Sets the game, and the fields for it. Returns the modes of the game. @param {string} game @param {string} mode @param {string[]} line */
    #set(game, mode, line) {
        if (game !== this.game) this.known.clear();
        this.game = game;
        this.mode = mode;
        this.line = line;
        this.#at = null;
        this.hinted = 0;
        if ([game, mode, ...this.line].join() !== this.#toldOf) this.told = "";
        this.select.value = game;
        const modes = named(game)?.impartial === false ? SIDES : MODES;
        if (this.modes.options.length !== modes.length) this.modes.replaceChildren(...modes.map(([value, words]) => el("option", { value }, words)));
        this.modes.value = mode;
        this.sides.textContent = modes === MODES ? "" : `${this.name(0)} against ${this.name(1).toLowerCase().replace(/left|right/, this.#side(1))}.`;
        if (!this.#typed) this.field.value = this.line[0];
        if ([game, mode, ...line].join() === [FIRST[0], "first", FIRST[1]].join()) {
            this.day.textContent = "The computer plays perfectly, but from here you can win.";
        } else if ([game, mode, ...line].join() !== [FIRST[0], "first", this.puzzle.position].join()) this.day.textContent = "";
        this.#teach();
        const title = named(game)?.title ?? game;
        this.title.textContent = title.charAt(0).toUpperCase() + title.slice(1);
        this.rule.replaceChildren(`${rules(game)} `, this.advice,
            named(game)?.kind ? el("a", { href: address("game", game) }, "The rules as text") : "");
        document.title = `${title}: a game · Grundy explorer`;
        return modes;
    }

    /** Shows the lesson of the first position, if there is one. */
    async #teach() {
        const [first] = this.line;
        const { lesson } = await import("./lessons.js");
        if (first !== this.line[0]) return;
        const shown = lesson(this.game, this.mode, first);
        if (shown.length > 0) this.day.replaceChildren(...shown);
    }

    wipe() {
        this.turn.textContent = this.clue.textContent = "";
        this.board.clear();
        this.again.replaceChildren();
        this.steps.hidden = true;
        this.log.replaceChildren();
        this.sent.hidden = true;
        this.why.replaceChildren();
        for (const button of [this.hint, this.undo]) button.hidden = true;
    }

    /** Computes the positions of the game in the address, shows it, and continues it. */
    async arrive() {
        const arrival = ++this.arrival;
        this.board.line.setAttribute("aria-busy", "true");
        this.#waited();
        const waited = this.#waited = soon(this.turn, "Computing", () => this.engine.cancel());
        try {
            const reason = named(this.game)?.unplayable;
            if (reason) throw new Error(`In this game ${reason}, and this page cannot play it.`);
            for (const text of this.line) {
                if (!this.known.has(text)) {
                    const { answer } = await this.engine.ask({ ask: "position", game: this.game, position: text });
                    if (arrival !== this.arrival) return;
                    if (answer.unlisted && answer.moves && !named(this.game)?.row) {
                        const nim = await import("./nim.js");
                        if (arrival !== this.arrival) return;
                        Object.assign(answer, { unlisted: null, nim });
                    }
                    this.known.set(text, answer);
                }
            }
            this.line.forEach((text, at) => {
                const before = at > 0 && this.found(at - 1);
                if (!before) return;
                const moves = before.nim ? [before.nim.between(before.piles, before.moves, text)].filter((made) => made) :
                    this.may(before, at - 1).filter((made) => made.option === text);
                if (moves.length === 0) throw new Error(`In this address no move leads from ${before.position} to ${text}.`);
                const kept = this.made[at];
                const same = kept?.option === text && moves.some((/** @type {Answer} */ { from, end, player }) =>
                    from === kept.from && end === kept.end && player === kept.player);
                if (!same) this.made[at] = moves[0];
            });
            const look = await shape(this.game);
            if (arrival !== this.arrival) return;
            this.#shape = look;
            const { unlisted } = this.found();
            if (unlisted) throw new Error(`This position is too large to play with here: ${unlisted}.`);
        } catch (error) {
            if (arrival !== this.arrival) return;
            this.board.line.removeAttribute("aria-busy");
            if (error instanceof Cancelled) {
                // The board still shows other coins than the address.
                this.board.clear();
                return;
            }
            this.wipe();
            this.trouble.replaceChildren(problem(error));
            return;
        } finally {
            waited();
        }
        this.draw();
        this.goOn();
        this.board.line.removeAttribute("aria-busy");
    }

    /** The index of the position that is shown. */
    get at() {
        return this.#at ?? this.line.length - 1;
    }

    /** Shows another position of the game. A move from it begins another game. @param {number} at */
    step(at) {
        if (at < 0 || at >= this.line.length || at === this.at || this.board.line.hasAttribute("aria-busy")) return;
        clearTimeout(this.timer);
        this.#at = at;
        this.hinted = 0;
        this.draw();
        this.goOn();
    }

    /** The answer about the position with an index, by default about the position that is shown. */
    found(at = this.at) {
        return /** @type {Answer} */ (this.known.get(this.line[at]));
    }

    /** The legal moves of the player to move. @param {Answer} found @param {number} at @returns {Answer[]} */
    may(found, at) {
        const side = this.#side(at);
        return (found.moves ?? []).filter((/** @type {Answer} */ made) => made.player === undefined || made.player === side);
    }

    /** The moves of the position that is shown. */
    moves() {
        return this.may(this.found(), this.at);
    }

    /** The mode without the side that begins. */
    get #base() {
        return this.mode.replace(RIGHT, "");
    }

    /** The side that moves from the position with an index, in games with Left and Right. @param {number} at */
    #side(at) {
        return (at % 2 === 0) !== this.mode.endsWith(RIGHT) ? "Left" : "Right";
    }

    /** True if the user moves from this position. */
    isMine(at = this.at) {
        return this.#base === "beside" || at % 2 === (this.#base === "first" ? 0 : 1);
    }

    /** The number of positions that stay after an undo. The last of them is that of the user's previous turn. */
    #mine() {
        for (let at = this.at - 1; at >= 0; at--) if (this.isMine(at)) return at + 1;
        return 0;
    }

    /** @param {number} at */
    name(at) {
        const side = named(this.game)?.impartial === false ? ` (${this.#side(at)})` : "";
        if (this.#base === "beside") return (at % 2 === 0 ? "The first player" : "The second player") + side;
        return (this.isMine(at) ? "You" : "The computer") + side;
    }

    /** Returns the address of a new game that begins with the current position. The same player is to move. */
    #fresh() {
        const last = this.at;
        const base = this.#base === "beside" ? "beside" : this.isMine() ? "first" : "second";
        const right = named(this.game)?.impartial === false && this.#side(last) === "Right";
        return address("play", this.game, base + (right ? RIGHT : ""), this.line[last]);
    }

    /**
     * Goes to a sequence of positions, unless it is too long for an address.
     * @param {string[]} line
     * @param {{ game?: string, mode?: string, replace?: boolean }} [means]
     */
    go(line, { game = this.game, mode = this.mode, replace = false } = {}) {
        const isPuzzle = line.length === 1 && line[0] === this.puzzle.position && game === FIRST[0] && mode === "first";
        const wanted = isPuzzle ? this.puzzle.address : address("play", game, mode, ...line);
        if (wanted.length > MOST_ADDRESS || line.length > MOST_MOVES) {
            // Leave out an even number of moves, so that the same player is to move in the first position.
            const last = line.slice(line.length % 2 === 0 ? -2 : -1);
            this.trouble.replaceChildren(problem("The game has too many moves for an address."), line.length > 2 ?
                el("p", {}, el("a", { id: "further", href: address("play", game, mode, ...last) }, "Go on without the earlier moves")) : "");
            return;
        }
        history[replace ? "replaceState" : "pushState"](null, "", wanted);
        this.show([game, mode, ...line]);
    }

    /** Makes a move. @param {Answer} made @param {boolean} [replace] */
    take(made, replace = false) {
        // Ignore a second touch while the coins of the first touch disappear.
        if (this.board.line.hasAttribute("aria-busy")) return;
        const { at } = this;
        this.told = this.isMine(at - 1) && at > 0 && !this.isMine(at) ? `${this.told} ` : "";
        this.told += `${this.name(at)} ${this.board.says(made, "took")}.`;
        this.made.length = at + 1;
        this.made[at + 1] = made;
        const line = [...this.line.slice(0, at + 1), made.option];
        this.#toldOf = [this.game, this.mode, ...line].join();
        this.go(line, { replace });
    }

    /** Draws the position. */
    draw() {
        const { line, at } = this;
        const focused = /** @type {HTMLElement | null} */ (document.activeElement);
        const found = this.found();
        const mine = this.isMine();
        const moves = this.moves();
        const over = moves.length === 0;
        const { kind, row } = named(this.game) ?? {};
        this.board.stand(line.flatMap((_, one) => this.found(one).piles), this.#shape);
        if (kind) this.board.place(found.piles, kind === "row" || kind === "places");
        else this.board.replay(this.found(0).piles, this.made.slice(1, at + 1), Boolean(row));
        this.mark();
        this.advice.textContent = this.board.advice + (this.colours.checked ? "★ wins, × loses; the number counts the moves to the end. " : "");
        this.hint.hidden = over;
        this.undo.hidden = false;
        this.hint.disabled = !mine || this.hinted >= HINTS.length;
        // If no move wins, only the reason is left after the first hint.
        this.hint.textContent = HINTS[this.hinted === 1 && moves.some((made) => made.winning) ? 1 : this.hinted > 0 ? 2 : 0];
        this.undo.disabled = this.#mine() === 0;
        this.#walk();
        this.turn.textContent = this.#says(moves).trim();
        this.turn.className = !over ? "" : this.#base === "beside" ? "over" : this.lost() ? "over lost" : "over won";
        this.clue.textContent = mine && this.hinted > 0 && !over ? this.#hint(moves) : "";
        this.sent.hidden = line.length < 2;
        this.fresh.hidden = over;
        this.fresh.href = this.#fresh();
        this.log.replaceChildren(...line.slice(1).map((text, one) =>
            el("li", { "aria-current": one + 1 === at && "step" }, `${this.name(one)}: ${this.found(one).position} → ${text}`)));
        const current = /** @type {HTMLElement | undefined} */ (this.log.children[at - 1]);
        this.log.scrollTop = (current?.offsetTop ?? 0) - this.log.offsetTop;
        this.log.tabIndex = line.length > 1 ? 0 : -1;
        this.finish(over);
        // After a hint, do not repeat the text about the last turn.
        if (this.clue.textContent) say(this.clue.textContent);
        else if (mine || over || this.#at !== null) say(`${this.told} ${this.#ends(moves)}`.trim());
        this.explain();
        // If the button or link that the user pressed is now gone or disabled, move the focus to
        // the board.
        const isLost = focused !== document.body && (!focused?.isConnected || focused.matches(":disabled, [hidden] *"));
        if (isLost && [document.body, focused].includes(/** @type {HTMLElement} */ (document.activeElement))) this.board.focus();
    }

    /** Shows which steps through the game are possible. */
    #walk() {
        this.steps.hidden = this.line.length < 2;
        [...this.steps.querySelectorAll("button")].forEach((button, at) => button.disabled = at < 2 ? this.at === 0 : this.at === this.line.length - 1);
        // The text about the last turn belongs to the last position.
        if (this.#at !== null) {
            const made = this.made[this.at];
            this.told = `Move ${this.at} of ${this.line.length - 1}.` + (made ? ` ${this.name(this.at - 1)}: ${this.found(this.at - 1).position} → ${made.option}.` : "");
            this.#toldOf = "";
        }
    }

    /** Says whose turn it is, what happened, and what a game remembers. @param {Answer[]} moves */
    #says(moves) {
        const { at } = this;
        if (moves.length === 0) return (this.line.length === 1 ? "There is no move here. " : "") + this.#over();
        if (this.#at !== null && at < this.line.length - 1) return `${this.told} ${this.isMine() ? "Touch a coin to play on from here." : ""}`;
        const { memory, last_move, position } = this.found();
        const left = /{.*$/.exec(position)?.[0];
        const remembered = left ? ` Remaining moves: ${left}.` : Object.entries(memory ?? { last_move: last_move ?? 0 }).map(([name, value]) =>
            name !== "last_move" ? ` Remembered: ${name} = ${value}.` : value > 0 ? ` The last move took ${value}.` : "").join("");
        if (!this.isMine()) return `The computer is to move.${remembered}`;
        const name = this.name(at);
        return `${this.told} ` + (this.#base === "beside" ? `${name} is to move.` :
            this.told === "" ? `${name} ${name.startsWith("You") ? "are" : "is"} to move.` : "It is your move.") + remembered;
    }

    /** Draws the coins, with the hints that the user has asked for. */
    mark() {
        const shown = this.isMine() ? this.moves() : [];
        this.board.draw(shown, { hint: this.open.open ? HINTS.length : this.hinted, colours: this.colours.checked, nim: this.found().nim });
    }

    /** @param {Answer[]} moves */
    #ends(moves) {
        if (moves.length === 0) return this.#over();
        const name = this.name(this.at);
        return `${name.startsWith("You") ? name.replace("You", "Your move") : `${name} is to move`}: ${this.found().position}.`;
    }

    /** Returns the hint in words: first the pile, then the coins. @param {Answer[]} moves */
    #hint(moves) {
        const winning = moves.filter((made) => made.winning);
        if (winning.length === 0) return "No move wins against perfect play.";
        if (this.hinted === 1) return `A move on ${this.board.where(winning)} wins.`;
        const more = winning.length > 3 ? `, or one of ${winning.length - 3} more` : "";
        const { remoteness } = this.found();
        // The number of moves counts those of both players.
        const soon = remoteness ? ` You need at most ${counted(Math.ceil(remoteness / 2), "move")} of your own.` : "";
        return `To win, ${winning.slice(0, 3).map((made) => this.board.says(made)).join(", or ")}${more}.${soon}`;
    }

    /** Returns a text that says who has won. */
    #over() {
        const last = this.at;
        const lost = named(this.game)?.lost_without_moves ?? true;
        const winner = this.name(lost ? last + 1 : last);
        const why = named(this.game)?.convention?.replace(/^.*: /, "");
        return (winner.startsWith("You") ? "You win!" : `${winner} wins.`) +
            (total(this.line[last]) === 0 ? "" : ` No move is left${why ? ` (${why})` : ""}.`);
    }

    /** True if the user has lost to the computer. */
    lost() {
        return this.#base !== "beside" && this.moves().length === 0 && !this.#over().startsWith("You");
    }

    /** Shows buttons for the next game. @param {boolean} over */
    finish(over) {
        /** @param {string} id @param {string} text @param {() => void} click */
        const button = (id, text, click) => el("button", { type: "button", id, class: id === "repeat" && "primary", onclick: click }, text);
        const level = sum(this.found(0).piles);
        this.again.replaceChildren(...(over ? [
            ...(this.lost() && this.line.length > 1 ? [button("where", "Where did I lose?", () => this.#later((rounds) => rounds.where(this)))] : []),
            button("repeat", "Play again", () => this.go([this.line[0]])),
            button("harder", this.lost() ? "Easier" : "Harder", () => this.begin(this.game, this.mode, this.lost() ? Math.max(level - 7, 1) : level)),
            button("second", this.#base === "second" ? "You first" : "You second",
                () => this.begin(this.game, (this.#base === "second" ? "first" : "second") + (this.mode.endsWith(RIGHT) ? RIGHT : ""), level - 3)),
        ] : []));
        this.again.hidden = !over;
        if (over && !this.lost() && this.line[0] === this.puzzle.position && this.game === FIRST[0] && this.mode === "first") this.#later((rounds) => rounds.solve(this));
        if (over && this.board.focused) /** @type {HTMLElement | null} */ (this.again.firstElementChild)?.focus();
    }

    /** Returns the position that is shown, as a picture. @returns {import("./save.js").Saves | null} */
    saves() {
        if (!this.known.has(this.line[this.at])) return null;
        const { piles, position } = this.found();
        return { piles, caption: [`${named(this.game)?.title}: ${position}. ${location.host}`], name: [this.game, position] };
    }

    /**
     * True if the user can win the first position in this mode. In impartial games the user may want to lose it.
     * @param {string} mode
     */
    #isWinnable(mode) {
        const outcome = this.known.get(this.line[0])?.outcome;
        if (named(this.game)?.impartial !== false || !outcome || mode.startsWith("beside")) return true;
        const isFirst = mode.startsWith("first");
        return outcome === (isFirst ? "N" : "P") || outcome === (isFirst !== mode.endsWith(RIGHT) ? "L" : "R");
    }

    /** Begins a game in a position that the user can win. @param {string} game @param {string} mode @param {number} level a number of coins */
    begin(game, mode, level) {
        this.mode = mode;
        this.#later(async (rounds) => {
            const begun = await rounds.choose(this, game, mode, level, Math.random, this.line[0]);
            if (begun) this.go([begun], { game, mode });
            this.title.scrollIntoView({ block: "nearest" });
        });
    }

    /** Begins in another position of the same game. */
    another() {
        this.#typed = false;
        this.begin(this.game, this.mode, Number(this.size.value) - 3);
    }

    /** Makes the computer move, if it is the computer's turn. */
    goOn() {
        const moves = this.moves();
        if (this.isMine() || moves.length === 0 || this.at < this.line.length - 1) return;
        // Win as soon as possible. If no move wins, lose as late as possible, and take the fewest coins,
        // which leaves the opponent the most ways to err. A large position would then last for hours, so take up to a
        // third of a pile.
        const winning = moves.filter((made) => made.winning);
        const isLarge = total(this.line[this.at]) > MOST_SLOW;
        /** @param {Answer} made */
        const worth = (made) => {
            const taken = made.from - made.to;
            if (winning.length > 0) return -made.remoteness || 0;
            if (made.remoteness) return 1e6 * made.remoteness - taken;
            return isLarge && taken <= Math.max(made.from / 3, 1) ? taken : -taken;
        };
        const among = winning.length > 0 ? winning : moves;
        const chosen = among.reduce((best, made) => worth(made) > worth(best) ? made : best);
        this.timer = window.setTimeout(() => {
            this.board.show(chosen, "going");
            this.turn.textContent = `The computer ${this.board.says(chosen, "takes")}.`;
            this.timer = window.setTimeout(() => this.take(chosen, true), TAKES);
        }, THINKS);
    }

    /** Shows the strategy, if the user has opened that part of the page. */
    async explain() {
        if (!this.open.open || !this.known.has(this.line[this.at] ?? "")) return;
        const found = this.found();
        const { engine, explained } = await import("./strategy.js");
        this.#answers = engine;
        const waited = soon(this.why, "Computing the answers", () => engine.cancel());
        const shown = await explained(this.game, found, this.moves(), this.#base === "beside" ? undefined : this.isMine());
        waited();
        if (found === this.found()) this.why.replaceChildren(...shown);
    }
}

export const play = viewed(PlayView);
