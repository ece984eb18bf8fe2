//! The values of other positions, for statements that ask for them.
//!
//! Whole levels are held in memory as far as they fit into half of what is allowed, each value at
//! a place that follows from the piles. What is larger, or longer, is looked up in the database or
//! computed.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use grundy_kernels::Isa;
use grundy_query::Limits;
use grundy_questions::{Cells, Dense, ValueError, Values};
use grundy_rules::index::Multisets;
use grundy_rules::{Game, Memory, Pile, Position, Table};
use grundy_sweep::{Control, Ladder};

use crate::level::has_ladder;
use crate::{Database, Error, Level};

/// Levels in memory, and whoever answers beyond them.
pub(crate) struct Lookups<'a> {
    /// By length, from 1.
    levels: Vec<Option<Held>>,
    ladder: Option<Climbed>,
    database: Option<&'a Database>,
    none: Database,
    /// The value of the position without piles, if there is one.
    empty: Option<u32>,
}

enum Climbed {
    Narrow(Ladder<u8>, Vec<Vec<usize>>),
    Wide(Ladder<u16>, Vec<Vec<usize>>),
}

/// The values of a level in the order of its table.
pub(crate) struct Held {
    cells: Vec<u32>,
    /// The place of the first of these cells in the level.
    from: usize,
    layout: Layout,
    max_pile: Pile,
}

/// Some units of a level, and the numbers of their values.
struct Units {
    units: Range<u64>,
    values: Range<u64>,
}

/// Where the value of a position stands.
enum Layout {
    /// Of a row: by a stride for each pile.
    Rows(Vec<usize>),
    Multisets(Multisets),
    /// Multisets with each last move up to the largest pile.
    LastMoves(Multisets),
    /// Single piles n with the last moves 0, ..., n.
    Triangle,
    /// By the number in the table, from one on.
    Numbers(Table, u64),
}

impl<'a> Lookups<'a> {
    /// Holds the levels of these lengths, as far as they fit.
    pub(crate) fn new(
        game: Game,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        database: Option<&'a Database>,
        memory: u64,
        seconds: f64,
        control: &Control,
    ) -> Result<Lookups<'a>, Error> {
        let limits = Limits { memory, seconds };
        let none = Database::empty_within(limits);
        let mut found = Lookups { levels: Vec::new(), ladder: None, database, none, empty: None };
        if game.has_empty_position() {
            let answer = found.database().inner().answer(game, &game.position(&[]))?;
            found.empty = Some(answer.number() as u32);
        }
        let (longest, room) = (*lengths.end(), memory / 2);
        if longest == 0 {
            return Ok(found);
        }
        if has_ladder(game) {
            let is_narrow = Table::new(game, max_pile, 1)?.value_bytes() == 1
                && game.largest_value(max_pile, longest) <= u8::MAX.into();
            let strides = |top: usize| (1..=top).map(|k| strides_between(max_pile, k)).collect();
            found.ladder = Some(match is_narrow {
                true => {
                    let top = Ladder::<u8>::top_within(max_pile, longest, room);
                    let mut ladder = Ladder::new(game, max_pile, Isa::best());
                    ladder.extend(top, control).map_err(|_| Error::Stopped)?;
                    Climbed::Narrow(ladder, strides(top))
                }
                false => {
                    let top = Ladder::<u16>::top_within(max_pile, longest, room);
                    let mut ladder = Ladder::new(game, max_pile, Isa::best());
                    ladder.extend(top, control).map_err(|_| Error::Stopped)?;
                    Climbed::Wide(ladder, strides(top))
                }
            });
            return Ok(found);
        }
        let mut left = room;
        for length in 1..=longest {
            let held = match lengths.contains(&length) {
                true => Held::new(game, length, max_pile, None, database, &mut left, control)?,
                false => None,
            };
            found.levels.push(held);
        }
        Ok(found)
    }

    /// Holds one level, if it fits; where that can be, those of its positions only that have
    /// these first piles.
    pub(crate) fn of_level(
        table: &Table,
        firsts: RangeInclusive<Pile>,
        database: Option<&'a Database>,
        memory: u64,
        seconds: f64,
        control: &Control,
    ) -> Result<Lookups<'a>, Error> {
        let (game, length, max_pile) = (table.game(), table.length(), table.max_pile());
        let units = Held::units(table, &firsts);
        if has_ladder(game) || units.is_none() {
            let lengths = length..=length;
            return Lookups::new(game, lengths, max_pile, database, memory, seconds, control);
        }
        let mut found = Lookups::new(game, 0..=0, 1, database, memory, seconds, control)?;
        found.levels.resize_with(length - 1, || None);
        let mut left = memory / 2;
        found.levels.push(Held::new(game, length, max_pile, units, database, &mut left, control)?);
        Ok(found)
    }

    fn database(&self) -> &Database {
        self.database.unwrap_or(&self.none)
    }

    /// Whether all values of a length are in memory.
    pub(crate) fn holds(&self, length: usize) -> bool {
        match &self.ladder {
            Some(Climbed::Narrow(ladder, _)) => length <= ladder.top(),
            Some(Climbed::Wide(ladder, _)) => length <= ladder.top(),
            None => self.levels.get(length - 1).is_some_and(Option::is_some),
        }
    }
}

/// The strides of a level of a ladder: tiles of all middles, row by row.
fn strides_between(max_pile: Pile, length: usize) -> Vec<usize> {
    let n = max_pile as usize;
    let mut strides = vec![0; length];
    let middle = length.saturating_sub(2);
    for (at, stride) in strides.iter_mut().enumerate() {
        *stride = match at {
            _ if at + 1 == length => 1,
            0 => n,
            _ => n.pow((middle - at + 2) as u32),
        };
    }
    strides
}

impl Held {
    /// The units of a level that have all positions with these first piles; `None` if the level
    /// does not come in the order of first piles.
    fn units(table: &Table, firsts: &RangeInclusive<Pile>) -> Option<Units> {
        let (first, last) = (u64::from(*firsts.start()), u64::from(*firsts.end()));
        let (n, solver) = (u64::from(table.max_pile()), grundy_solvers::solver(table.game()));
        if table.length() == 1 && solver.records().is_some() {
            // Of a pile n with each last move there are n + 1 values.
            let values = |before: u64| before * (before + 3) / 2;
            return Some(Units { units: first - 1..last, values: values(first - 1)..values(last) });
        }
        if !solver.has_thresholds() || table.length() < 3 {
            return None;
        }
        // Tiles have the order of all piles but the last two.
        let tiles_of_a_pile = n.pow(table.length() as u32 - 3);
        let each = crate::source::tiles_per_unit(table);
        let units = (first - 1) * tiles_of_a_pile / each..(last * tiles_of_a_pile).div_ceil(each);
        let cells = each * table.tile_cells() as u64;
        let values = units.start * cells..(units.end * cells).min(table.values());
        Some(Units { units, values })
    }

    /// The values of a level, or of some of its units, if they fit.
    fn new(
        game: Game,
        length: usize,
        max_pile: Pile,
        some: Option<Units>,
        database: Option<&Database>,
        left: &mut u64,
        control: &Control,
    ) -> Result<Option<Held>, Error> {
        let Ok(level) = Level::new(game, length, max_pile) else { return Ok(None) };
        let some = match some {
            Some(some) => some,
            None => Units { units: 0..u64::MAX, values: 0..level.positions() },
        };
        let needed = (some.values.end - some.values.start).saturating_mul(4);
        if needed > *left {
            return Ok(None);
        }
        *left -= needed;
        let level = match database {
            Some(database) => level.database(database),
            None => level,
        };
        let level = level.control(control);
        let mut cells = Vec::with_capacity((needed / 4) as usize);
        let mut first = None;
        let (units, from) = (some.units, some.values.start as usize);
        level.each_of_units(
            |all| units.start..units.end.min(all),
            |block| {
                first = first.or_else(|| block.first_number());
                block.each_cell(|seen, _| cells.push(seen.value));
                true
            },
        )?;
        let table = level.table().clone();
        let multisets = || Multisets::new(max_pile, length);
        let layout = match (table.index().name(), multisets()) {
            ("words", _) => {
                let n = max_pile as usize;
                Layout::Rows((0..length).rev().map(|at| n.pow(at as u32)).collect())
            }
            ("multisets", Some(multisets)) => Layout::Multisets(multisets),
            ("last moves", Some(multisets)) => Layout::LastMoves(multisets),
            ("records", _) => Layout::Triangle,
            _ => Layout::Numbers(table, first.unwrap_or(0)),
        };
        Ok(Some(Held { cells, from, layout, max_pile }))
    }

    /// The value of a position that the level has.
    fn cell(&self, piles: &[Pile], memory: &Memory) -> Option<u32> {
        if piles.iter().any(|&pile| pile > self.max_pile) {
            return None;
        }
        let place = match (&self.layout, memory) {
            (Layout::Rows(strides), _) => {
                piles.iter().zip(strides).map(|(&pile, stride)| (pile as usize - 1) * stride).sum()
            }
            (Layout::Multisets(multisets), _) => multisets.rank(piles) as usize,
            (Layout::LastMoves(multisets), Memory::LastMove(taken)) => {
                // A last move that cannot be made again is none.
                let largest = piles[piles.len() - 1];
                let taken = if *taken > largest { 0 } else { *taken };
                multisets.rank(piles) as usize * (self.max_pile as usize + 1) + taken as usize
            }
            (Layout::Triangle, Memory::LastMove(taken)) => {
                let n = piles[0] as usize;
                let taken = if *taken as usize > n { 0 } else { *taken as usize };
                (n - 1) * (n + 2) / 2 + taken
            }
            (Layout::Numbers(table, first), _) => {
                let position = as_position(piles, memory);
                usize::try_from(table.number(&position)?.checked_sub(*first)?).ok()?
            }
            _ => return None,
        };
        self.cells.get(place.checked_sub(self.from)?).copied()
    }
}

fn as_position(piles: &[Pile], memory: &Memory) -> Position {
    match memory {
        Memory::Nothing => Position::row(piles),
        Memory::LastMove(taken) => Position::after(piles.to_vec(), *taken),
        Memory::Available(set) => Position::with_available(piles.to_vec(), set),
    }
}

impl Values for Lookups<'_> {
    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError> {
        if let (true, Some(value)) = (piles.is_empty(), self.empty) {
            return Ok(value);
        }
        let held = match self.dense(piles.len()) {
            Some(dense) if piles.iter().all(|&pile| pile <= dense.max_pile) => {
                let places = piles.iter().zip(dense.strides);
                let place = places.map(|(&pile, stride)| (pile as usize - 1) * stride).sum();
                Some(dense.cells.get(place))
            }
            _ => self
                .levels
                .get(piles.len().wrapping_sub(1))
                .and_then(Option::as_ref)
                .and_then(|held| held.cell(piles, memory)),
        };
        if let Some(value) = held {
            return Ok(value);
        }
        let answer = self.database().inner().answer(game, &as_position(piles, memory));
        match answer {
            Ok(answer) => Ok(answer.value.unwrap_or(answer.outcome as u32)),
            Err(error) => Err(Arc::new(error)),
        }
    }

    fn dense(&self, length: usize) -> Option<Dense<'_>> {
        let at = length.checked_sub(1)?;
        match &self.ladder {
            Some(Climbed::Narrow(ladder, strides)) => {
                let (level, strides) = (ladder.level(length)?, strides.get(at)?);
                let cells = Cells::Bytes(level.values());
                Some(Dense { cells, strides, max_pile: ladder.max_pile() as Pile })
            }
            Some(Climbed::Wide(ladder, strides)) => {
                let (level, strides) = (ladder.level(length)?, strides.get(at)?);
                let cells = Cells::Words(level.values());
                Some(Dense { cells, strides, max_pile: ladder.max_pile() as Pile })
            }
            None => match self.levels.get(at)?.as_ref()? {
                Held { cells, from: 0, layout: Layout::Rows(strides), max_pile } => {
                    Some(Dense { cells: Cells::Longs(cells), strides, max_pile: *max_pile })
                }
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::reference::{Outcomes, Reference};

    /// Every position of small levels of every game, held or not, has the reference's value.
    #[test]
    fn values_are_those_of_the_reference() {
        for game in Game::all() {
            for (length, max_pile) in [(1, 9), (2, 5), (3, 3)] {
                let control = Control::new();
                let held = Lookups::new(game, 1..=length, max_pile, None, 1 << 30, 60.0, &control);
                let none = Lookups::new(game, 0..=0, 1, None, 1 << 30, 60.0, &control);
                let (held, none) = (held.unwrap(), none.unwrap());
                assert!(held.holds(length), "{game}");
                let table = Table::new(game, max_pile, length).unwrap();
                let is_impartial = game.is_impartial();
                let mut values = is_impartial.then(|| Reference::new(game));
                let mut classes = Outcomes::new(game);
                let numbers = (0..table.values()).filter_map(|number| table.position(number));
                for position in numbers.filter(|p| p.length() == length).take(400) {
                    let expected = match &mut values {
                        Some(values) => values.value(&position),
                        None => classes.outcome(&position) as u32,
                    };
                    for lookups in [&held, &none] {
                        let found = lookups.cell(game, position.piles(), position.memory());
                        assert_eq!(found.unwrap(), expected, "{position} in {game}");
                    }
                }
            }
        }
    }
}
