//! What the tests share: claims held against the reference evaluator, with no
//! kernel, no table and no database at hand.

use std::ops::{Range, RangeInclusive};

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Middles, Pile, Position, Table, lex_word, reference::Reference};
use grundy_sweep::{Control, Fold, Swept, Tile};

use crate::claim::Claim;
use crate::estimate::Means;
use crate::job::{Examined, Job};
use crate::plan::{Plan, PlannedCheck};
use crate::source::{Recompute, Source};
use crate::statement::{Shape, Statement};
use crate::stored::Reader;
use crate::tally::Tally;
use crate::tile_check::{Gathered, TileCheck};

/// "The value is v iff the predicate holds", with nothing assumed about it.
pub(crate) fn iff(value: u32, holds: fn(&[Pile]) -> bool) -> Statement {
    Statement::Iff { value, holds, shape: Shape::Anywhere }
}

/// Shows tiles whose values are those of the reference evaluator.
pub(crate) struct FromReference;

impl Source for FromReference {
    type Error = std::convert::Infallible;

    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn each_block(
        &mut self,
        table: &Table,
        _: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Self::Error> {
        unreachable!("{table} was asked for, and nothing is stored")
    }

    fn parts(&self, table: &Table) -> u64 {
        table.tiles()
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, Self::Error> {
        // Two accumulators in turn, so that merging is tested on the way.
        let mut halves = [fold.start(), fold.start()];
        let mut cells = 0;
        each_tile::<T>(table, |at, tile| {
            if parts.contains(&(at as u64)) {
                cells += tile.values.len() as u64;
                fold.tile(&mut halves[at % 2], tile);
            }
        });
        let [left, right] = halves;
        control.advance(cells);
        Ok(Swept { acc: fold.merge(left, right), cells, complete: !control.is_stopped() })
    }
}

/// Every tile of a table by the reference evaluator. Every second one is shown
/// as the tile of the reversed middle, which is the same statement.
pub(crate) fn each_tile<T: EqualMask>(table: &Table, mut show: impl FnMut(usize, Tile<'_, T>)) {
    let mut reference = Reference::new(table.game());
    let mut middle = Vec::new();
    let n = table.max_pile();
    for at in 0..table.tiles() {
        table.tile_word(at, &mut middle);
        if at % 2 == 1 {
            middle.reverse();
        }
        let mut values = Vec::new();
        for a in 1..=table.tile_rows() as Pile {
            for b in 1..=n {
                let mut piles = middle.clone();
                piles.push(b);
                if table.length() > 1 {
                    piles.insert(0, a);
                }
                values.push(T::from_value(reference.value(&Position::new(piles).unwrap())));
            }
        }
        let (length, rows) = (table.length(), table.tile_rows());
        show(at as usize, Tile { length, middle: &middle, rows, values: &values });
    }
}

/// A claim holds on all lengths up to each size, by the reference.
pub(crate) fn holds_on_reference(id: &str, sizes: &[(Pile, usize)]) {
    let claims = Claim::find(id).unwrap();
    for &(max_pile, length) in sizes {
        let range = crate::Range { max_pile: Some(max_pile), length: Some(length), to: None };
        let means = Means {
            isa: Isa::Portable,
            memory: 1 << 20,
            threads: 1,
            certificate: None,
            keeper: None,
        };
        let plan = Plan::new(&claims, &[], &range).unwrap();
        for verdict in plan.run(&mut FromReference, &means, &Control::new()).unwrap() {
            assert_eq!(verdict.first, None, "{id}, piles <= {max_pile}, length {length}");
            assert!(verdict.checked > 0 && verdict.complete);
        }
    }
}

/// What comes of the check of a claim about numbers, up to a bound, with nothing stored.
pub(crate) fn examine(id: &str, to: u32) -> Examined {
    examine_range(id, crate::Range { to: Some(to), ..Default::default() })
}

/// The same of a claim about positions, for all lengths up to one.
pub(crate) fn examine_sizes(id: &str, max_pile: Pile, length: usize) -> Examined {
    examine_range(id, crate::Range { max_pile: Some(max_pile), length: Some(length), to: None })
}

fn examine_range(id: &str, range: crate::Range) -> Examined {
    examine_stored(id, range, &mut Recompute::new(Isa::Portable, 1 << 20))
}

/// The same with values that are told, right or wrong: a check that finds nothing wrong with
/// wrong values checks nothing.
pub(crate) fn examine_told(id: &str, to: u32, table: &Table, values: &[u32]) -> Examined {
    assert_eq!(values.len() as u64, table.cells());
    let range = crate::Range { to: Some(to), ..Default::default() };
    examine_stored(id, range, &mut Told { table, values })
}

/// One stored table.
struct Told<'a> {
    table: &'a Table,
    values: &'a [u32],
}

impl Source for Told<'_> {
    type Error = std::convert::Infallible;

    fn tables(&self) -> Vec<Table> {
        vec![self.table.clone()]
    }

    fn each_block(
        &mut self,
        _: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Self::Error> {
        show(0, self.values);
        Ok(())
    }

    fn parts(&self, table: &Table) -> u64 {
        unreachable!("{table} has no tiles of End-Nim")
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        _: Range<u64>,
        _: &Control,
        _: &F,
    ) -> Result<Swept<F::Acc>, Self::Error> {
        unreachable!("{table} has no tiles of End-Nim")
    }
}

fn examine_stored(id: &str, range: crate::Range, source: &mut impl Source) -> Examined {
    let plan = Plan::new(&Claim::find(id).unwrap(), &[], &range).unwrap();
    let PlannedCheck { check, games, extent, .. } = &plan.checks[0];
    let reader = Reader::new(source);
    let job = Job {
        games,
        extent,
        isa: Isa::Portable,
        memory: 1 << 30,
        certificate: None,
        keeper: None,
        control: &Control::new(),
        stored: &reader,
    };
    (check.run)(&job)
}

/// Checks a statement on some lengths, by the reference.
pub(crate) fn check(
    statement: &Statement,
    game: Game,
    max_pile: Pile,
    lengths: RangeInclusive<usize>,
) -> Tally {
    lengths.fold(Tally::default(), |sum, length| {
        let check = TileCheck::of(game, Isa::Portable, vec![Some(statement.copy())], false);
        let table = Table::new(game, max_pile, length).unwrap();
        let mut acc = Fold::<u8>::start(&check);
        each_tile::<u8>(&table, |_, tile| check.tile(&mut acc, tile));
        let Gathered { mut tallies, .. } = acc;
        sum.merge(tallies.remove(0))
    })
}

/// A statement fails, first at the position given, and the least counterexample
/// and the number of failures are those of a loop over all words.
pub(crate) fn fails_first_at(
    statement: &Statement,
    game: Game,
    (max_pile, lengths): (Pile, RangeInclusive<usize>),
    first: &[Pile],
) {
    let found = check(statement, game, max_pile, lengths.clone());
    let counterexample = found.first.unwrap();
    assert_eq!(counterexample.piles, first, "{}", counterexample.found);
    if matches!(statement, Statement::Injective) {
        return;
    }
    let mut reference = Reference::new(game);
    let mut wrong: Vec<(u64, Vec<Pile>)> = Vec::new();
    let mut checked = 0;
    for length in lengths {
        let mut piles = vec![0; length];
        for index in 0..u64::from(max_pile).pow(length as u32) {
            lex_word(index, u64::from(max_pile), &mut piles);
            checked += 1;
            let value = reference.value(&Position::new(piles.clone()).unwrap());
            if statement.allows(&piles, value) == Some(false) {
                wrong.push((piles.iter().map(|&pile| u64::from(pile)).sum(), piles.clone()));
            }
        }
    }
    assert_eq!((found.checked, found.failures), (checked, wrong.len() as u64));
    assert_eq!(wrong.iter().min().unwrap().1, first);
}

impl Statement {
    /// The same statement again.
    pub(crate) fn copy(&self) -> Statement {
        match self {
            Statement::Iff { value, holds, shape } => Statement::Iff {
                value: *value,
                holds: *holds,
                shape: match shape {
                    Shape::Anywhere => Shape::Anywhere,
                    Shape::Band(distance) => Shape::Band(*distance),
                    Shape::Diagonals(bits) => Shape::Diagonals(*bits),
                },
            },
            Statement::Formula(formula) => Statement::Formula(*formula),
            Statement::Near { value, distance } => {
                Statement::Near { value: *value, distance: *distance }
            }
            Statement::Bounded => Statement::Bounded,
            Statement::Injective => Statement::Injective,
        }
    }
}

/// A tile of one middle whose value stands exactly where a predicate holds.
pub(crate) fn painted<T: EqualMask>(
    value: u32,
    holds: impl Fn(&[Pile]) -> bool,
    middle: &[Pile],
    n: Pile,
) -> Vec<T> {
    let mut cells = Vec::new();
    for a in 1..=n {
        for b in 1..=n {
            let piles = [&[a], middle, &[b]].concat();
            cells.push(T::from_value(if holds(&piles) { value } else { value + 1 }));
        }
    }
    debug_assert!(Middles::new(n, middle.len()).is_some());
    cells
}
