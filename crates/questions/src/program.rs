//! A compiled statement: steps on columns.
//!
//! A *column* has one number for each of up to [`CHUNK`] positions; a truth value is 0 or 1. The
//! result of a step has a *rate*, which says how often the result changes:
//!
//! ```text
//! Fixed   a number                            known when it is compiled
//! Tile    one number for a tile               from the piles between the ends
//! Table   a column as long as a tile          from the ends alone: the same for all tiles
//! Cell    a column                            anything else
//! ```
//!
//! A step runs only as often as its rate requires. Most steps of `g == 1 -> abs(first - last) <= 1`
//! have the rate Table, and only two comparisons have the rate Cell.
//!
//! The right side of `and`, `or` and `->` is needed only in lanes where the left side does not
//! determine the result. A *mask* marks these lanes, and if it is empty, the steps of the right
//! side are skipped. Lanes of a column outside its mask are undefined and never used.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;

use grundy_language::Span;
use grundy_language::ast::Property;
use grundy_language::fault::Fault;
use grundy_rules::Game;

/// The number of positions of a column. A column of two-byte numbers takes 2 KiB of the L1 cache.
pub(crate) const CHUNK: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    /// Division, rounded down.
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
    Gcd,
    Equal,
    Less,
    LessEqual,
    /// The bit b - 1 of the number a, or 0 if b is out of range.
    Bit,
    Neg,
    Abs,
    Not,
    Popcount,
    V2,
    Log2,
    Tri,
    IsPrime,
}

impl Op {
    pub(crate) fn commutes(self) -> bool {
        use Op::{Add, And, Equal, Gcd, Max, Min, Mul, Or, Xor};
        matches!(self, Add | Mul | And | Or | Xor | Min | Max | Gcd | Equal)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Rate {
    Fixed,
    Tile,
    Table,
    Cell,
}

impl Rate {
    /// Returns the rate of a result that depends on results of these two rates.
    pub(crate) fn with(self, other: Rate) -> Rate {
        match (self, other) {
            (Rate::Tile, Rate::Table) | (Rate::Table, Rate::Tile) => Rate::Cell,
            (x, y) => x.max(y),
        }
    }
}

/// An operand or result of a step: a number, or a register and its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Arg {
    Fixed(i128),
    Tile(u32),
    Table(u32),
    Cell(u32),
}

impl Arg {
    pub(crate) fn rate(&self) -> Rate {
        match self {
            Arg::Fixed(_) => Rate::Fixed,
            Arg::Tile(_) => Rate::Tile,
            Arg::Table(_) => Rate::Table,
            Arg::Cell(_) => Rate::Cell,
        }
    }
}

/// The memory of a position that a step looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remembered {
    Beginning,
    /// The remembered numbers, as one number.
    State(Arg),
    /// A set as bits: bit s - 1 is the move s.
    Moves(Arg),
}

/// The positions of a game that a compiled statement may look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupRange {
    pub game: Game,
    pub length: usize,
    pub max_pile: u64,
    /// True if the statement asks only at the positions of tiles, and tiles of this game suffice.
    pub is_here: bool,
}

/// The value, or another property, of a position of any game.
#[derive(Clone, Debug)]
pub(crate) struct LookUp {
    pub(crate) game: Game,
    pub(crate) property: Property,
    pub(crate) piles: Vec<Arg>,
    /// True if the piles are those of the position.
    pub(crate) is_here: bool,
    pub(crate) remembered: Remembered,
    pub(crate) mask: Arg,
    pub(crate) span: Span,
    pub(crate) out: Arg,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    One {
        op: Op,
        a: Arg,
        out: Arg,
    },
    Two {
        op: Op,
        a: Arg,
        b: Arg,
        out: Arg,
    },
    Select {
        condition: Arg,
        then: Arg,
        other: Arg,
        out: Arg,
    },
    /// An operation like `Two` or `One` that may have no result. A missing result is a fault.
    Checked {
        op: Op,
        a: Arg,
        b: Option<Arg>,
        mask: Arg,
        span: Span,
        out: Arg,
    },
    /// Continues with the step `to` if the mask is empty.
    Skip {
        mask: Arg,
        to: usize,
    },
    /// Reports a fault in every lane of the mask.
    Fail {
        mask: Arg,
        fault: Fault,
    },
    Other(LookUp),
    /// Gathers the values of the options, as bits.
    Options {
        slot: usize,
        mask: Arg,
        span: Span,
    },
    HasOption {
        slot: usize,
        a: Arg,
        out: Arg,
    },
    MexOptions {
        slot: usize,
        out: Arg,
    },
    /// Counts the different values of the options.
    CountOptions {
        slot: usize,
        out: Arg,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    Value,
    /// A pile, counted from 0.
    Pile(usize),
    /// The numbers that positions remember, as one number.
    State,
    Moves,
    /// True if the value is the mark of the band.
    Mark,
}

/// The arrangement of the piles in the positions of a tile. All positions share the piles w. The
/// pile a gives the row, and the pile b gives the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Layout {
    /// The positions are a w b.
    Between,
    /// The positions are b rev(w) a.
    Backwards,
    /// The positions are w a b.
    Behind,
    /// The positions are given one by one.
    List,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OptionSide {
    All,
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    Two,
    Four,
    Eight,
    Sixteen,
}

impl Width {
    /// Returns the least width that fits all numbers from `low` to `high`.
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

impl Step {
    /// Returns the register that the step writes.
    pub(crate) fn out(&self) -> Option<Arg> {
        match *self {
            Step::One { out, .. }
            | Step::Two { out, .. }
            | Step::Select { out, .. }
            | Step::Checked { out, .. }
            | Step::Other(LookUp { out, .. })
            | Step::HasOption { out, .. }
            | Step::MexOptions { out, .. }
            | Step::CountOptions { out, .. } => Some(out),
            Step::Skip { .. } | Step::Fail { .. } | Step::Options { .. } => None,
        }
    }

    /// Returns the operands.
    pub(crate) fn reads(&self) -> Vec<Arg> {
        match self {
            &Step::One { a, .. } | &Step::HasOption { a, .. } => vec![a],
            &Step::Two { a, b, .. } => vec![a, b],
            &Step::Select { condition, then, other, .. } => vec![condition, then, other],
            &Step::Checked { a, b, mask, .. } => [a, mask].into_iter().chain(b).collect(),
            Step::Skip { mask, .. } | Step::Options { mask, .. } | Step::Fail { mask, .. } => {
                vec![*mask]
            }
            Step::Other(LookUp { piles, remembered, mask, .. }) => {
                let mut all = [&piles[..], &[*mask]].concat();
                if let Remembered::State(arg) | Remembered::Moves(arg) = remembered {
                    all.push(*arg);
                }
                all
            }
            Step::MexOptions { .. } | Step::CountOptions { .. } => Vec::new(),
        }
    }
}

impl Program {
    /// Removes the steps of the rate Cell whose results nothing reads. Steps that may fail stay,
    /// and rare steps.
    pub(crate) fn without_idle_steps(mut self) -> Program {
        let mut read: HashSet<Arg> = self.premise.into_iter().chain([self.result]).collect();
        let mut kept = vec![true; self.per_cell.len()];
        for (step, kept) in self.per_cell.iter().zip(&mut kept).rev() {
            let is_safe = matches!(step, Step::One { .. } | Step::Two { .. } | Step::Select { .. });
            *kept = !is_safe || step.out().is_some_and(|out| read.contains(&out));
            if *kept {
                read.extend(step.reads());
            }
        }
        let mut places = vec![0];
        for kept in &kept {
            places.push(places[places.len() - 1] + usize::from(*kept));
        }
        let mut each = kept.into_iter();
        self.per_cell.retain(|_| each.next() == Some(true));
        for step in &mut self.per_cell {
            if let Step::Skip { to, .. } = step {
                *to = places[*to];
            }
        }
        self
    }

    /// Returns the number v if the program says that the value of the position is v, and no more.
    pub(crate) fn equals(&self) -> Option<u32> {
        // A step of the rate Tile may fail.
        let ([], &[Step::Two { op: Op::Equal, a, b, out }]) =
            (&self.per_tile[..], &self.per_cell[..])
        else {
            return None;
        };
        let (number, value) = if let Arg::Fixed(_) = a { (a, b) } else { (b, a) };
        let is_whole = out == self.result && self.premise.is_none();
        match number {
            Arg::Fixed(number) if is_whole && self.inputs.contains(&(Input::Value, value)) => {
                u32::try_from(number).ok()
            }
            _ => None,
        }
    }

    /// Returns the registers of the rate Tile that steps of the rate Cell read.
    pub(crate) fn tile_registers_in_cells(&self) -> Vec<u32> {
        let read = self.per_cell.iter().flat_map(Step::reads);
        let read = read.chain([self.result]).chain(self.premise);
        let tile = |arg| if let Arg::Tile(at) = arg { Some(at) } else { None };
        let all: BTreeSet<u32> = read.filter_map(tile).collect();
        all.into_iter().collect()
    }

    /// Records a look-up.
    pub(crate) fn looks_up(&mut self, new: LookupRange) {
        match self.lookups.iter_mut().find(|known| known.game == new.game) {
            Some(known) => {
                known.length = known.length.max(new.length);
                known.max_pile = known.max_pile.max(new.max_pile);
                known.is_here &= new.is_here;
            }
            None => self.lookups.push(new),
        }
    }
}

/// A statement compiled for positions of one length.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) inputs: Vec<(Input, Arg)>,
    pub(crate) per_tile: Vec<Step>,
    pub(crate) per_table: Vec<Step>,
    pub(crate) per_cell: Vec<Step>,
    /// The number of registers of the rates Tile, Table and Cell.
    pub(crate) registers: [u32; 3],
    /// The player of the options in each slot. A set of values takes `option_words` words.
    pub(crate) options: Vec<OptionSide>,
    pub(crate) option_words: usize,
    pub(crate) result: Arg,
    pub(crate) premise: Option<Arg>,
    pub(crate) width: Width,
    /// The games whose positions are looked up, each with the largest length and pile.
    pub(crate) lookups: Vec<LookupRange>,
}
