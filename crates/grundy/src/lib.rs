//! Exhaustive tables of Nim variants, as a library: look a position up, walk all positions of a
//! size, check a conjecture on billions of them, bring a game of your own.
//!
//! It is for people who study combinatorial games. The built-in games are in [`games`]: Nim and
//! misère Nim, End-Nim and its relatives, End-Wythoff, and short and long global nim. A position of
//! an impartial game has a *Grundy value*, the least number that is not the value of an option
//! (the [`mex`]); one of a partizan game has an [`Outcome`] class.
//!
//! # Five minutes
//!
//! **Look up.** A [`Database`] answers about any position. It reads tables from a folder, and
//! computes values that no table has. It also works without tables:
//!
//! ```
//! use grundy::{Database, games};
//!
//! let database = Database::open("db")?; // made by `grundy build`; the folder may be missing
//! assert_eq!(database.value(games::END_NIM, [5, 4, 5, 6, 7])?, 9);
//! assert_eq!(database.value(games::LONG_GLOBAL_NIM, "8{1,3,4}")?, 1);
//!
//! // b -> G(5 4 b), and all a·4·b as a square.
//! let row = database.row(games::END_NIM, &[5, 4], 12)?;
//! let tile = database.tile(games::END_NIM, &[4], 12)?;
//! assert_eq!(row[11].value, Some(tile.value(5, 12)));
//! # Ok::<(), grundy::Error>(())
//! ```
//!
//! **Walk.** A *level* is all positions of one length with piles up to a largest one. [`sweep`]
//! computes it on all threads and shows it in [blocks](Block), without storing it. The results of
//! the blocks are merged ([`Merge`]):
//!
//! ```
//! use grundy::{games, sweep};
//!
//! // The P-positions among the 24^4 rows of four piles of End-Nim.
//! let p_positions = sweep(games::END_NIM, 4, 24, |block| block.count(|value| value == 0))?;
//! // The number of positions for each value of misère Nim, three piles of up to ten.
//! let counts = sweep(games::MISERE_NIM, 3, 10, |block| block.counts())?;
//! assert_eq!((p_positions, counts.iter().sum::<u64>()), (13_272, 220));
//! # Ok::<(), grundy::Error>(())
//! ```
//!
//! **Check a conjecture.** A [`Statement`] is a predicate on a position and its value. Its
//! [`Verdict`] gives the number of positions checked, the number of counterexamples, and the least
//! one:
//!
//! ```
//! use grundy::{Statement, games};
//!
//! let equal_ends = Statement::new(games::END_NIM, |at| {
//!     at.value != 0 || at.piles[0] == at.piles[at.piles.len() - 1]
//! });
//! let verdict = equal_ends.check(1..=4, 12)?;
//! assert_eq!(
//!     verdict.to_string(),
//!     "fails for 572 of 22620 positions; least counterexample 1,1,2,2 of value 0"
//! );
//! # Ok::<(), grundy::Error>(())
//! ```
//!
//! **Ask a question.** Statements in the language of docs/LANGUAGE.md need no closure. A
//! [`Question`] is read from a text. [`Ask`] checks it, some billions of positions a second, or
//! lists the positions that satisfy it:
//!
//! ```
//! use grundy::{Ask, AskError, Question, games};
//!
//! let question = Question::parse(games::END_NIM, "P <-> first == last and middle != {first}");
//! assert!(question.is_err()); // a list is no set
//! let question = Question::parse(games::END_NIM, "P <-> first == last and p2 != first")?;
//! assert!(Ask::new(&question).check(3..=3, 20)?.holds());
//!
//! let p_positions = Question::parse(games::END_NIM, "P")?;
//! let mut found = Vec::new();
//! Ask::new(&p_positions).find(3..=3, 2, |position, _| {
//!     found.push(position.to_string());
//!     Ok::<bool, AskError>(true)
//! })?;
//! assert_eq!(found, ["1,2,1", "2,1,2"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Bring a game.** Implement [`Rules`]. Only the names, the arrangement of the piles, and the
//! moves have no default. All of the above works with it:
//!
//! ```
//! use grundy::{Database, Game, Move, Order, Pile, Position, Rules, Statement, from_any_pile};
//!
//! /// Nim in which a move takes one, two or three coins.
//! #[derive(Debug)]
//! struct UpToThree;
//!
//! impl Rules for UpToThree {
//!     fn id(&self) -> &'static str { "up-to-three" }
//!     fn title(&self) -> &'static str { "Nim with moves up to three" }
//!     fn paper(&self) -> &'static str { "folklore" }
//!     fn order(&self) -> Order { Order::Any }
//!     fn moves(&self, position: &Position) -> Vec<Move> {
//!         let lowered = |from: Pile| from.saturating_sub(3)..from;
//!         from_any_pile(position.piles(), lowered, |piles, _| Position::multiset(piles))
//!     }
//! }
//!
//! let game = Game::new(&UpToThree);
//! assert_eq!(Database::empty().value(game, [7, 2])?, (7 % 4) ^ (2 % 4));
//! let folklore = Statement::new(game, |at| {
//!     at.value == at.piles.iter().fold(0, |sum, pile| sum ^ pile % 4)
//! });
//! assert!(folklore.check(1..=3, 20)?.holds());
//! # Ok::<(), grundy::Error>(())
//! ```
//!
//! # Speed
//!
//! On two cores of a shared server with AVX-512, November 2026; for five piles of up to 64 of
//! End-Nim unless stated otherwise:
//!
//! | | positions a second |
//! |---|---|
//! | [`Block::count`], computing included: as fast as `grundy_sweep` alone | 3.3 billion |
//! | [`Ask::check`], a plain statement, one core | one to three billion |
//! | [`Block::each_position`], [`Statement::check`] | about a billion |
//! | a level of a game of your own, four piles of up to 30 with eight moves each | 0.6 million |
//! | [`Database::value`] of four piles, computed without tables | 0.3 million |
//!
//! Compile with `--release`. A game of your own whose values follow from the two ends of a row can
//! declare that ([`Rules::ends`]); then it is as fast as End-Nim.
//!
//! # Further reading
//!
//! * The examples `lookup`, `conjecture` and `own_game`:
//!   `cargo run --release -p grundy --example conjecture -- 64` checks a billion positions.
//! * [`Level`] sets memory, progress and stopping; [`PositionView`] is a position during a walk.
//! * [`reference`](mod@reference) is the slow evaluator with which everything fast is compared.
//!   Compare your own results with it too.
//! * The program `grundy` builds tables (`grundy build`); it is in the package `grundy-cli`.
//! * The layers below are separate crates: `grundy-rules` (games, positions, notation),
//!   `grundy-sweep` (walks, tile by tile), `grundy-solvers` (solvers of each family; these three
//!   compile for a browser), `grundy-query` (reading files), `grundy-builder` (writing files).
#![forbid(unsafe_code)]

mod ask;
mod clock;
mod diagnosis;
mod error;
mod game_file;
pub mod papers;
mod report;
mod statement;
pub mod tables;
mod walk;

pub use ask::{
    Ask, AskError, CheckReport, CheckedPart, CheckedShare, Checkpoint, Count, FoundLaw, Guess,
    Guesses, Lengths, Problem, Question, Span, Undefined, counts, estimate_counts, usual_max_pile,
    usual_range,
};
pub use diagnosis::{Advice, Class, Diagnosis, diagnose, with_causes};
pub use error::Error;
pub use game_file::{GameError, Held, claims, game, game_in, game_of_text, hold_against_rules};
pub use grundy_kernels::cells::Cells;
pub use grundy_kernels::{Isa, UnknownIsa};
pub use grundy_query::{
    Access, Answer, Database, Effort, Limit, Limits, ManyError, Moves, QueryError, SharedTile,
    Source, StoredTable, Tile, Watch, is_winning,
};
pub use grundy_questions::laws::LawKind;
pub use grundy_questions::{ClaimFileError, FLAWS, OwnClaim};
#[cfg(feature = "remote")]
pub use grundy_remote as remote;
pub use grundy_rules::{
    Ends, Form, Game, IntoPosition, Meaning, Memory, Move, MoveSet, NoMisereForm, Numbering, Order,
    Outcome, Pick, Pile, Player, Position, PositionError, Remembers, Rules, Size, Table,
    TableError, UnknownGame, from_any_pile, from_either_end, games, index, lex_index, lex_word,
    mex, misere_form, nim_sum, reference,
};
pub use grundy_rules::{law, rulesets};
pub use grundy_solvers::FillError;
pub use grundy_sweep::{
    Bytes, Control, MemoryLimit, MemoryShortage, MergeError, NoSuchPart, Number, Parts, Piece,
    Seconds, Swept, grouped,
};
pub use report::{MoveReport, PositionReport, convention_of, id_of};
pub use statement::{Statement, Verdict};
pub use walk::{Array, Block, Hook, Kept, Least, Level, Merge, PositionView, Progress, Walk};

/// Long work in shares: its division, and its checkpoints.
pub mod shares {
    pub use grundy_sweep::{Checkpoint, MOST_TASKS, cut};
}

/// True if single piles of a game have records, which exist for very large piles
/// ([`Database::each_record`] shows them).
pub fn has_records(game: Game) -> bool {
    grundy_solvers::solver(game).records().is_some()
}

/// Computes all positions of `length` piles of at most `max_pile` coins, on all threads of the
/// current rayon pool. Calls `ask` with each [`Block`] of them, and merges the results.
///
/// Use a [`Level`] to read stored values, to stop the work, or to limit its memory.
pub fn sweep<R: Merge>(
    game: Game,
    length: usize,
    max_pile: Pile,
    ask: impl Fn(&Block<'_>) -> R + Sync,
) -> Result<R, Error> {
    Level::new(game, length, max_pile)?.sweep(ask)
}
