//! Every way to solve a game, held against the rules.
//!
//! The oracle is the reference evaluator of `grundy_rules`, which knows no tables and no
//! families: it is asked for every position that is compared. Beside it the solver for any game
//! is compared with the family's, by giving it the same rules under another name.
//!
//! All tests go over [`Game::all`](grundy_rules::Game::all), so that a new game is covered by
//! itself. Those name one that are about its own forms, or about what takes how much: what is estimated
//! and where it is refused.

mod answers;
mod checkers;
mod common;
mod compiled;
mod counts;
mod errors;
mod estimates;
mod fill;
mod limits;
mod record_checks;
mod rows;
mod runs;
mod set_checks;
mod sources;
mod stored;
mod toys;
