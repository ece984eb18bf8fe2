//! Compares every way to solve a game with the rules.
//!
//! The oracle is the reference evaluator of `grundy_rules`, which uses no tables and no families.
//! It evaluates every position of the comparisons. Some tests compare the solver of a family with
//! the solver for any game, which solves the same rules under another name.
//!
//! All tests cover [`Game::all`](grundy_rules::Game::all), so a new game is included automatically.
//! Only tests of special forms of a game, or of costs and limits, name games.

mod answers;
mod checkers;
mod common;
mod compiled;
mod counts;
mod errors;
mod estimates;
mod families;
mod fill;
mod laws;
mod limits;
mod record_checks;
mod rows;
mod runs;
mod set_checks;
mod sources;
mod stored;
mod toys;
