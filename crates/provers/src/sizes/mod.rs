//! Theorems about a fixed number of piles of all sizes.
//!
//! The *type* of some numbers, for a cap C and a modulus m, consists of their order with 0, of the
//! minimum of C and each gap between neighbours, and of each number modulo m. If a law compares
//! piles only by differences and residues, types of some cap and modulus decide it. Then each
//! counterexample can be shrunk into a small box, and a table of the box proves the law for piles
//! of all sizes (docs/PROOFS.md):
//!
//! ```text
//! order    orders of piles, and linear forms in their gaps
//! reads    which statements are decided, and by what cap and modulus
//! moves    which games have such moves, and the box for their values
//! search   the least box in which the value classes are unions of types
//! formula  value classes in the language of statements, and in LaTeX
//! counts   the numbers of positions of a class, as quasi-polynomials
//! smt      questions for solvers, where types do not reach
//! ```
//!
//! The module computes no values: the caller fills the tables.

mod counts;
mod formula;
mod moves;
mod numbers;
mod order;
mod reader;
mod reads;
mod search;
mod smt;

use std::collections::BTreeMap;

use grundy_language::Expr;
use grundy_rules::Game;
use serde::Serialize;

pub use counts::{Counts, Polynomial};
pub use formula::{formula, latex};
pub use moves::Moves;
pub use search::{Found, NOT_A_POSITION, Table, least_box};
pub use smt::{SolverQuestion, confirms, solver_questions};

use order::lcm;
use reader::{Needs, Reader};

/// A theorem that the checker can prove again: value classes, and a statement that follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificate {
    format: &'static str,
    version: u32,
    game: String,
    convention: Option<&'static str>,
    rules: Option<String>,
    length: usize,
    values: u32,
    statement: Option<String>,
    cap: u64,
    modulus: u64,
    #[serde(rename = "box")]
    most: u64,
    digest: String,
}

impl Certificate {
    /// Returns the certificate of the classes of the values up to `values`, and of a statement
    /// about positions of the length of the last table.
    pub fn new(
        game: Game,
        tables: &[Table],
        values: u32,
        found: Found,
        statement: Option<&str>,
    ) -> Certificate {
        let named = game.misere_of().unwrap_or(game);
        let mut hash = blake3::Hasher::new();
        tables.iter().for_each(|table| _ = hash.update(&table.values_within(found.most as usize)));
        Certificate {
            format: "grundy-sizes",
            version: 1,
            game: named.id().to_owned(),
            convention: game.misere_of().map(|_| "misere"),
            rules: game.rule_file().map(|file| file.text.clone()),
            length: tables.last().map_or(0, |table| table.length),
            values,
            statement: statement.map(str::to_owned),
            cap: found.cap as u64,
            modulus: found.modulus as u64,
            most: found.most as u64,
            digest: hash.finalize().to_hex().to_string(),
        }
    }
}

/// The reason why types decide neither a statement nor the rules of a game: the part that is no
/// comparison, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// A statement about positions of a fixed length that types decide.
#[derive(Clone, Debug)]
pub struct Decided {
    length: i128,
    needs: Needs,
}

impl Decided {
    /// Reads a resolved statement. `games` are its own game and the other games that it names.
    ///
    /// # Errors
    /// [`Refusal`] names the part that is no comparison of two piles.
    pub fn of(
        expr: &Expr,
        length: usize,
        games: &[Game],
        moves: &Moves,
    ) -> Result<Decided, Refusal> {
        let ids: Vec<&str> = games.iter().map(|game| game.id()).collect();
        // A statement is about the positions that the rules admit.
        let (orders, mut needs) = moves::orders_of(games[0], length)?;
        for order in orders {
            let mut reader = Reader::new(length, order);
            (reader.games, reader.chosen, reader.shift) = (&ids, moves.chosen(), moves.shift());
            reader.impartial = games[0].is_impartial();
            reader.truth(expr)?;
            let found = reader.needs;
            needs.cap = needs.cap.max(found.cap);
            needs.modulus = lcm(needs.modulus, found.modulus);
            needs.shift = needs.shift.max(found.shift);
            needs.universal = needs.universal.max(found.universal);
            needs.existential = needs.existential.max(found.existential);
            join(&mut needs.values, &found.values);
            join(&mut needs.longest, &found.longest);
        }
        Ok(Decided { length: length as i128, needs })
    }

    /// Returns the least cap and modulus that decide the statement, if all classes of values had
    /// the cap and the modulus 1.
    pub fn own(&self) -> (i128, i128) {
        (self.needs.cap, self.needs.modulus)
    }

    /// Returns the largest value of each game whose class the statement names, with the longest
    /// position of the game. The number of a game is its place in `games`.
    pub fn values(&self) -> impl Iterator<Item = (usize, u32, usize)> + '_ {
        let longest = |game| self.needs.longest.get(game).copied().unwrap_or(0);
        self.needs.values.iter().map(move |(game, value)| {
            let own = if *game == 0 { self.length as usize } else { 0 };
            (*game, *value, longest(game).max(own))
        })
    }

    /// Returns the cap and the modulus of the statement, if its classes have this cap and modulus.
    pub fn with(&self, cap: i128, modulus: i128) -> (i128, i128) {
        let cap = self.needs.cap.max(cap + self.needs.shift);
        (cap, lcm(self.needs.modulus, modulus))
    }

    /// Returns the box: if the statement holds in it, it holds for piles of all sizes. The classes
    /// of the named values must be unions of types of this cap and modulus.
    pub fn box_of(&self, cap: i128, modulus: i128) -> i128 {
        let ((cap, modulus), k) = (self.with(cap, modulus), self.length);
        let Needs { universal, existential, .. } = self.needs;
        match (universal as i128, existential as i128) {
            (q, 0) => (k + q) * (cap + modulus - 1),
            (0, q) => {
                let all = (k + q) * (cap + modulus - 1);
                all.max(k * ((q + 1) * (cap - 1) + modulus))
            }
            (q, p) => {
                let all = (k + q + p) * (cap + modulus - 1);
                let k_of = (0..q + p).fold(cap, |cap, _| (2 * cap + modulus - 1).min(1 << 40));
                all.max(k * (k_of + modulus - 1))
            }
        }
    }
}

fn join<T: Copy + Ord>(all: &mut BTreeMap<usize, T>, more: &BTreeMap<usize, T>) {
    for (&game, &number) in more {
        all.entry(game).and_modify(|known| *known = number.max(*known)).or_insert(number);
    }
}
