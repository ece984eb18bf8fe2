//! Every way to solve a game, held against the rules.
//!
//! The oracle is the reference evaluator of `grundy_rules`, which knows no tables and no
//! families: it is asked for every position that is compared. Beside it the solver for any game
//! is compared with the family's, by giving it the same rules under another name.
//!
//! All tests go over [`Game::all`](grundy_rules::Game::all), so that a new game is covered by
//! itself; none but those of one game's own forms names one.

mod answers;
mod checkers;
mod common;
mod counts;
mod fill;
mod limits;
mod misere;
mod rows;
mod toys;
