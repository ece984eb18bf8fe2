//! A compiled statement: steps on columns.
//!
//! A *column* is one number, or one truth value as 0 or 1, for each of up to [`CHUNK`] positions.
//! What a step works out changes at a rate of its own:
//!
//! ```text
//! Fixed   a number                            known when it is compiled
//! Tile    one number for a tile               from the piles between the ends
//! Table   a column as long as a tile          from the ends alone: the same for all tiles
//! Cell    a column                            anything else
//! ```
//!
//! A step is taken as seldom as its rate allows. Most of `g == 1 -> abs(first - last) <= 1` is of
//! the rate Table: per cell there remain two comparisons.
//!
//! The right side of `and`, `or` and `->` is looked at only where it decides: its steps have a
//! *mask*, and where the mask is empty they are skipped. What stands in a column outside
//! its mask means nothing, and nobody asks for it.

use std::fmt::Debug;

use grundy_language::Span;
use grundy_language::ast::Property;
use grundy_language::fault::Fault;
use grundy_rules::Game;

/// Positions of a column: two lines of memory for each kilobyte of the nearest cache.
pub(crate) const CHUNK: usize = 1024;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    /// Rounded down.
    Div,
    Mod,
    Pow,
    Left,
    Right,
    And,
    Or,
    Xor,
    Min,
    Max,
    Equal,
    Less,
    LessEqual,
    /// Whether bit b - 1 of a is set; no such bit is not.
    Bit,
    Neg,
    Abs,
    Not,
    Popcount,
    V2,
    Log2,
    Tri,
}

impl Op {
    /// Whether its operands may change places.
    pub(crate) fn commutes(self) -> bool {
        use Op::{Add, And, Equal, Max, Min, Mul, Or, Xor};
        matches!(self, Add | Mul | And | Or | Xor | Min | Max | Equal)
    }
}

/// How often something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Rate {
    Fixed,
    Tile,
    Table,
    Cell,
}

impl Rate {
    /// That of what depends on both.
    pub(crate) fn with(self, other: Rate) -> Rate {
        match (self, other) {
            (Rate::Tile, Rate::Table) | (Rate::Table, Rate::Tile) => Rate::Cell,
            (x, y) => x.max(y),
        }
    }
}

/// What a step works on or writes to: a number, or a register of some rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Arg<C> {
    Fixed(C),
    Tile(u32),
    Table(u32),
    Cell(u32),
}

impl<C> Arg<C> {
    pub(crate) fn rate(&self) -> Rate {
        match self {
            Arg::Fixed(_) => Rate::Fixed,
            Arg::Tile(_) => Rate::Tile,
            Arg::Table(_) => Rate::Table,
            Arg::Cell(_) => Rate::Cell,
        }
    }

    pub(crate) fn map<D>(self, f: impl Fn(C) -> D) -> Arg<D> {
        match self {
            Arg::Fixed(number) => Arg::Fixed(f(number)),
            Arg::Tile(at) => Arg::Tile(at),
            Arg::Table(at) => Arg::Table(at),
            Arg::Cell(at) => Arg::Cell(at),
        }
    }
}

/// What another position remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remembered<C> {
    /// As at the beginning.
    Beginning,
    LastMove(Arg<C>),
    /// Bit s - 1 is the move s.
    Moves(Arg<C>),
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) enum Step<C> {
    One {
        op: Op,
        a: Arg<C>,
        out: Arg<C>,
    },
    Two {
        op: Op,
        a: Arg<C>,
        b: Arg<C>,
        out: Arg<C>,
    },
    Select {
        condition: Arg<C>,
        then: Arg<C>,
        other: Arg<C>,
        out: Arg<C>,
    },
    /// The same as `Two` or `One`, but some result may not be: then the fault is one.
    Checked {
        op: Op,
        a: Arg<C>,
        b: Option<Arg<C>>,
        mask: Arg<C>,
        span: Span,
        out: Arg<C>,
    },
    /// Goes on at `to` if the mask is empty.
    Skip {
        mask: Arg<C>,
        to: usize,
    },
    /// Where the mask is set there is no value.
    Fail {
        mask: Arg<C>,
        fault: Fault,
    },
    /// The value of another position.
    Other {
        game: Game,
        asked: Property,
        piles: Vec<Arg<C>>,
        remembered: Remembered<C>,
        mask: Arg<C>,
        span: Span,
        out: Arg<C>,
    },
    /// Gathers the values of the options, as bits.
    Options {
        slot: usize,
        mask: Arg<C>,
        span: Span,
    },
    /// Whether a number is the value of an option.
    HasOption {
        slot: usize,
        a: Arg<C>,
        out: Arg<C>,
    },
    /// The least number that is not.
    MexOptions {
        slot: usize,
        out: Arg<C>,
    },
    /// How many values there are.
    CountOptions {
        slot: usize,
        out: Arg<C>,
    },
}

/// What comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    Value,
    /// Counted from 0.
    Pile(usize),
    LastMove,
    Moves,
}

/// How the positions of a tile read, where the piles between its ends are w, its rows a and its
/// columns b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Layout {
    /// a w b.
    Between,
    /// The same read backwards.
    Backwards,
    /// w a b.
    Behind,
    /// Positions one by one.
    List,
}

/// Whose options are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Whose {
    All,
    Left,
    Right,
}

/// How wide the numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    Two,
    Four,
    Eight,
    Sixteen,
}

impl Width {
    /// The least that holds these.
    pub(crate) fn holding(low: i128, high: i128) -> Width {
        let fits = |least: i128, most: i128| low >= least && high <= most;
        if fits(i16::MIN.into(), i16::MAX.into()) {
            Width::Two
        } else if fits(i32::MIN.into(), i32::MAX.into()) {
            Width::Four
        } else if fits(i64::MIN.into(), i64::MAX.into()) {
            Width::Eight
        } else {
            Width::Sixteen
        }
    }
}

impl Program {
    /// Notes that values of positions of so many piles of at most `largest` coins are asked for.
    pub(crate) fn asks_of(&mut self, game: Game, length: usize, largest: i128) {
        match self.asks.iter_mut().find(|(known, ..)| *known == game) {
            Some((_, longest, most)) => {
                (*longest, *most) = ((*longest).max(length), (*most).max(largest));
            }
            None => self.asks.push((game, length, largest)),
        }
    }
}

/// A statement compiled for positions of one length.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// What is filled in, where.
    pub(crate) inputs: Vec<(Input, Arg<i128>)>,
    pub(crate) per_tile: Vec<Step<i128>>,
    pub(crate) per_table: Vec<Step<i128>>,
    pub(crate) per_cell: Vec<Step<i128>>,
    /// Registers of the rates Tile, Table and Cell.
    pub(crate) registers: [u32; 3],
    /// Whose options are gathered in which slot, and words of bits for each position.
    pub(crate) options: Vec<Whose>,
    pub(crate) option_words: usize,
    pub(crate) result: Arg<i128>,
    /// Of an implication, where its premises are true.
    pub(crate) premise: Option<Arg<i128>>,
    pub(crate) width: Width,
    /// The games of which other positions' values are asked for, with the longest of them and their largest
    /// pile.
    pub(crate) asks: Vec<(Game, usize, i128)>,
}
