//! The reader of expressions, with the numbers and the needs that it collects.

use std::collections::BTreeMap;
use std::fmt::Display;

use grundy_language::Outcome;

use super::Refusal;
use super::order::{Linear, Order};

/// A number in an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Num {
    Linear(Linear),
    /// The form divided by the constant, rounded down.
    Quotient(Linear, i128),
    Twos(Linear),
    Log(Linear),
    /// The nim-sum of two forms.
    NimSum(Linear, Linear),
    /// A value of the game with this number.
    Value(usize),
    /// A polynomial, of which only residues are known.
    Product,
}

/// The least cap and modulus whose types decide a statement or a condition.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    /// The least cap.
    pub(super) cap: i128,
    /// The least modulus.
    pub(super) modulus: i128,
    /// For each game, in the order of [`Reader::games`], the largest value whose class is used.
    pub(super) values: BTreeMap<usize, u32>,
    /// The longest position of each game.
    pub(super) longest: BTreeMap<usize, usize>,
    /// The difference of the largest and the least number that is added to a pile in the name of
    /// another position.
    pub(super) shift: i128,
    /// The number of universal and of existential numbers, if all quantifiers are in prenex form.
    pub(super) universal: usize,
    /// See `universal`.
    pub(super) existential: usize,
}

impl Default for Needs {
    fn default() -> Needs {
        Needs {
            cap: 1,
            modulus: 1,
            values: BTreeMap::new(),
            longest: BTreeMap::new(),
            shift: 0,
            universal: 0,
            existential: 0,
        }
    }
}

/// The value of an expression in an order.
#[derive(Clone, Debug)]
pub(super) enum Val {
    Cases(Vec<Num>),
    /// A truth value; `None` if it depends on the gaps.
    Truth(Option<bool>),
    Class(Option<Outcome>),
    /// The members of a list, each with its cases.
    Members(Vec<Vec<Num>>),
    /// The members of a set, each with its cases. Some of them may be equal.
    Set(Vec<Vec<Num>>),
    /// The values or the classes of the options.
    Options,
    /// A set of classes.
    Classes,
}

pub(super) type Read<T> = Result<T, Refusal>;

pub(super) fn refuse<T>(expr: &dyn Display, why: &str) -> Read<T> {
    Err(Refusal(format!("`{expr}` {why}")))
}

/// Reads expressions about a position of a fixed length, in one order of its points.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    /// The number of piles. Their points are 0, 1, ...
    pub(super) length: usize,
    pub(super) order: Order,
    /// The values of the names in scope.
    pub(super) names: Vec<Val>,
    pub(super) needs: Needs,
    /// The ids of the games that a statement names; the first is its own.
    pub(super) games: &'a [&'a str],
    /// True if the own game has values, not classes.
    pub(super) impartial: bool,
    /// The numbers that a move chooses.
    pub(super) chosen: usize,
    /// The largest difference of constants that a move adds to piles.
    pub(super) shift: i128,
    /// True below an even number of negations, false below an odd number; `None` if unclear.
    pub(super) positive: Option<bool>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(length: usize, order: Order) -> Reader<'a> {
        Reader {
            length,
            order,
            names: Vec::new(),
            needs: Needs::default(),
            games: &[""],
            impartial: true,
            chosen: 0,
            shift: 0,
            positive: Some(true),
        }
    }

    pub(super) fn needs_value(&mut self, game: usize, value: u32) {
        let known = self.needs.values.entry(game).or_default();
        *known = (*known).max(value);
    }
}
