//! Look-ups of other positions, for statements that need their values.
//!
//! Whole levels are held in memory if they fit into half of the limit. The index of a held value
//! follows from the piles. If a statement asks for larger piles than those of the range, the levels
//! go up to these piles, unless the look-ups are cheaper. Values of other positions are looked up
//! in the database or computed.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use grundy_kernels::Isa;
use grundy_kernels::cells::CellVec;
use grundy_query::{HeldLevel, Layout, Limits};
use grundy_questions::{Dense, Tiles, ValueError, Values};
use grundy_rules::{Game, Memory, Numbering, Pile, Table, TableError};
use grundy_solvers::{Means, Production, follows_from_ends, solver};
use grundy_sweep::cost::{LadderSize, ladder_bytes};
use grundy_sweep::{AnyLadder, Control, MemoryLimit};

use super::all_orders;
use crate::walk::{Kept, position_of, source};
use crate::{Database, Error, Level};

/// The time limit, in seconds, for computing a position outside the held levels.
pub(crate) const LONGEST_LOOK: f64 = 60.0;

/// The largest number of tiles that are filled at once beside a walk, which usually goes on to the
/// next. Several tiles at once take much less time than one by one.
const TILES_AHEAD: usize = 16;

/// The bytes of these tiles, and the most bytes of a tile that is filled beside a walk. Each thread
/// has such tiles.
pub(crate) const AHEAD_BYTES: usize = 1 << 20;

/// The levels in memory, and a database for all other positions.
pub(crate) struct Lookups {
    games: Vec<HeldGame>,
    /// Games whose tiles are filled beside those of a walk, with the tables of these tiles.
    beside: Vec<(Table, AnyLadder)>,
    /// The database. It uses no theorems, because the statement itself may be a theorem.
    database: Database,
    control: Control,
    /// The filled tables that the levels share.
    kept: Kept,
}

/// The levels of a game that should be held in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) game: Game,
    /// The largest number of piles; 0 if only the position without piles is needed.
    pub(crate) longest: usize,
    pub(crate) max_pile: Pile,
    /// True if the positions are multisets, but look-ups may give their piles in any order.
    pub(crate) in_all_orders: bool,
    /// True if only the positions of the walk itself are looked up, tile by tile.
    pub(crate) is_beside: bool,
}

struct HeldGame {
    game: Game,
    /// The levels in order of length. The first level has the length 1, or the positions of every
    /// length.
    levels: Vec<Option<HeldLevel>>,
    /// The value of the position without piles, if it exists.
    empty: Option<u32>,
}

/// A range of units of a level, and the range of the indices of their values.
struct Units {
    units: Range<u64>,
    values: Range<u64>,
}

impl Wanted {
    pub(crate) fn bytes(&self) -> Result<u64, Error> {
        let Wanted { game, longest, max_pile, .. } = *self;
        if longest == 0 {
            return Ok(0);
        }
        if follows_from_ends(game) {
            let table = longest_table(game, max_pile, longest)?;
            return Ok(LadderSize::up_to(&table, self.top(&table)).bytes);
        }
        let table = Table::new(game, max_pile, game.stored_length(longest))?;
        if table.holds_all_lengths() {
            // The table takes less memory after it is filled, even with a copy of its cells.
            let means = Means::one_thread(MemoryLimit::new(u64::MAX));
            return Ok(solver(game).needs(&table, &means).memory);
        }
        let positions = |length| Table::new(game, max_pile, length).map_or(0, |t| t.positions());
        Ok((1..=longest).map(positions).fold(0, u64::saturating_add).saturating_mul(4))
    }

    /// Returns the longest level to hold for the longest table.
    fn top(&self, table: &Table) -> usize {
        if self.is_beside { shorter(table) } else { table.length() }
    }

    /// Returns the largest number of piles whose level fits into `room` with all shorter levels.
    pub(crate) fn longest_within(&self, room: MemoryLimit) -> usize {
        let fits = |&longest: &usize| {
            Wanted { longest, ..*self }.bytes().is_ok_and(|bytes| bytes <= room.bytes())
        };
        (1..=self.longest).rev().find(fits).unwrap_or(0)
    }

    /// Returns the approximate size in bytes of the levels that fit into `room`.
    pub(crate) fn bytes_within(&self, room: MemoryLimit) -> u64 {
        let Wanted { game, longest, max_pile, in_all_orders, .. } = *self;
        let table = |length| Table::new(game, max_pile, length).ok();
        if follows_from_ends(game) && longest > 0 {
            let table = longest_table(game, max_pile, longest);
            return table.map_or(0, |t| LadderSize::within(&t, self.top(&t), room).bytes);
        }
        let spread = match in_all_orders {
            true => {
                let spread = |t: Table| t.multisets().map_or(0, |_| all_orders::bytes(&t));
                (1..=longest).filter_map(table).map(spread).fold(0, u64::saturating_add)
            }
            false => 0,
        };
        self.bytes().unwrap_or(0).saturating_add(spread).min(room.bytes())
    }
}

impl Lookups {
    fn nothing(
        database: Option<&Database>,
        memory: MemoryLimit,
        kept: &Kept,
        control: &Control,
    ) -> Lookups {
        let none = || Database::empty_within(Limits { memory, seconds: LONGEST_LOOK });
        let database = database.map_or_else(none, Database::clone).without_theorems();
        let (games, beside) = (Vec::new(), Vec::new());
        Lookups { games, beside, database, control: control.part(), kept: kept.clone() }
    }

    /// Puts the wanted levels into memory. Together the levels take at most half of the limit.
    pub(crate) fn of_games(
        wanted: &[Wanted],
        database: Option<&Database>,
        memory: MemoryLimit,
        kept: &Kept,
        control: &Control,
    ) -> Result<Lookups, Error> {
        let mut found = Lookups::nothing(database, memory, kept, control);
        let room = Lookups::room(wanted, memory);
        for &Wanted { game, longest, max_pile, in_all_orders, is_beside } in wanted {
            if is_beside {
                found.stand_beside(Table::new(game, max_pile, longest)?, control)?;
                continue;
            }
            let lengths = if longest == 0 { 0..=0 } else { 1..=longest };
            found.hold(game, lengths, max_pile, database, room, control)?;
            if in_all_orders && let Some(held) = found.games.last_mut() {
                held.spread(room);
            }
        }
        Ok(found)
    }

    /// Returns the memory for the held levels of one game.
    pub(crate) fn room(wanted: &[Wanted], memory: MemoryLimit) -> MemoryLimit {
        memory.share(2).share(wanted.len() as u64)
    }

    pub(crate) fn new(
        game: Game,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        database: Option<&Database>,
        memory: MemoryLimit,
        control: &Control,
    ) -> Result<Lookups, Error> {
        let mut found = Lookups::nothing(database, memory, &Kept::default(), control);
        found.hold(game, lengths, max_pile, database, memory.share(2), control)?;
        Ok(found)
    }

    /// Prepares to fill the tiles of a table one by one.
    fn stand_beside(&mut self, table: Table, control: &Control) -> Result<(), Error> {
        let ladder = AnyLadder::new(&table, shorter(&table), Isa::best(), control);
        self.beside.push((table, ladder.map_err(|_| Error::Stopped)?));
        Ok(())
    }

    fn hold(
        &mut self,
        game: Game,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        database: Option<&Database>,
        room: MemoryLimit,
        control: &Control,
    ) -> Result<(), Error> {
        let mut found = HeldGame { game, levels: Vec::new(), empty: None };
        if game.has_empty_position() {
            let answer = self.database.answer(game, game.position(&[]))?;
            found.empty = Some(answer.cell());
        }
        let longest = *lengths.end();
        if longest > 0 && follows_from_ends(game) {
            let table = longest_table(game, max_pile, longest)?;
            let top = LadderSize::within(&table, table.length(), room).top;
            let ladder = AnyLadder::new(&table, top, Isa::best(), control);
            let levels = (1..).zip(ladder.map_err(|_| Error::Stopped)?.into_levels());
            found.levels.extend(levels.map(|(length, values)| {
                let layout = Layout::Rows(strides_between(max_pile, length));
                Some(HeldLevel { values, from: 0, layout, max_pile })
            }));
        } else if longest > 0 && game.stored_length(longest) == 0 {
            let wanted = Wanted { game, longest, max_pile, in_all_orders: false, is_beside: false };
            if wanted.bytes().is_ok_and(|bytes| bytes <= room.bytes()) {
                let level = Level::new(game, 0, max_pile)?.sharing(&self.kept);
                let held = held(level, None, database, &mut room.bytes(), control)?;
                found.levels.push(held);
            }
        } else {
            let mut left = room.bytes();
            for length in 1..=longest {
                let level = Level::new(game, length, max_pile).ok();
                let level = level.map(|level| level.sharing(&self.kept));
                let held = match level.filter(|_| lengths.contains(&length)) {
                    Some(level) => held(level, None, database, &mut left, control)?,
                    None => None,
                };
                found.levels.push(held);
            }
        }
        self.games.push(found);
        Ok(())
    }

    /// Puts one level into memory if it fits. If the order of the table allows it, puts only the
    /// positions whose first pile is in `firsts` into memory.
    pub(crate) fn of_level(
        table: &Table,
        firsts: RangeInclusive<Pile>,
        (database, memory): (Option<&Database>, MemoryLimit),
        kept: &Kept,
        control: &Control,
    ) -> Result<Lookups, Error> {
        let (game, length, max_pile) = (table.game(), table.length(), table.max_pile());
        let units = units(table, &firsts);
        let mut found = Lookups::nothing(database, memory, kept, control);
        let room = memory.share(2);
        if follows_from_ends(game) || units.is_none() {
            found.hold(game, length..=length, max_pile, database, room, control)?;
            return Ok(found);
        }
        found.hold(game, 0..=0, 1, database, room, control)?;
        let level = Level::new(game, length, max_pile)?.sharing(kept);
        let held = held(level, units, database, &mut room.bytes(), control)?;
        let levels = (1..length).map(|_| None).chain([held]).collect();
        if let Some(of_game) = found.games.last_mut() {
            of_game.levels = levels;
        }
        Ok(found)
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    pub(crate) fn holds(&self, game: Game, length: usize) -> bool {
        self.level(game, length).is_some()
    }

    fn of(&self, game: Game) -> Option<&HeldGame> {
        self.games.iter().find(|held| held.game == game)
    }

    fn level(&self, game: Game, length: usize) -> Option<&HeldLevel> {
        let shorter = length.checked_sub(1)?;
        let at = if game.stored_length(length) == 0 { 0 } else { shorter };
        self.of(game)?.levels.get(at)?.as_ref()
    }
}

impl HeldGame {
    /// Copies the value of each multiset to all orders of its piles, if the copies fit.
    fn spread(&mut self, room: MemoryLimit) {
        let held = self.levels.iter().flatten().map(HeldLevel::bytes);
        let mut left = room.minus(held.sum()).bytes();
        for held in self.levels.iter_mut().flatten() {
            let Layout::Multisets(multisets) = &held.layout else { continue };
            let (n, length) = (held.max_pile, multisets.length());
            let Ok(table) = Table::new(self.game, n, length) else { continue };
            // The copies replace the held values.
            let needed = all_orders::bytes(&table);
            if needed > left {
                return;
            }
            left = left - needed + held.bytes();
            held.values = all_orders::spread(&table, multisets, held.values.cells());
            held.layout = Layout::words(n, length);
        }
    }
}

/// Returns the longest level from which a ladder fills the tiles of a table.
fn shorter(table: &Table) -> usize {
    (table.length() - 1).max(1)
}

/// Returns the longest table of a game with at most `longest` piles. Some lengths have no table.
fn longest_table(game: Game, max_pile: Pile, longest: usize) -> Result<Table, TableError> {
    let longer = (2..=longest).rev().find_map(|length| Table::new(game, max_pile, length).ok());
    longer.map_or_else(|| Table::new(game, max_pile, 1), Ok)
}

/// Returns the strides of a level of a ladder. Its tiles are in the order of their middles.
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

/// Returns the units of a level that contain all positions with these first piles; `None` if
/// the level is not in the order of first piles.
fn units(table: &Table, firsts: &RangeInclusive<Pile>) -> Option<Units> {
    let (first, last) = (u64::from(*firsts.start()), u64::from(*firsts.end()));
    match Production::of(table) {
        Production::Records(_) => {
            // A pile n has n + 1 values, one for each last move.
            let values = |before: u64| before * (before + 3) / 2;
            return Some(Units { units: first - 1..last, values: values(first - 1)..values(last) });
        }
        Production::Thresholds if table.length() >= 3 => {}
        Production::Thresholds | Production::Ladder | Production::Made => return None,
    }
    let n = u64::from(table.max_pile());
    // Tiles are in the order of their words. A word consists of all piles except the last two.
    let tiles_of_a_pile = n.pow(table.length() as u32 - 3);
    let each = source::tiles_per_unit(table);
    let units = (first - 1) * tiles_of_a_pile / each..(last * tiles_of_a_pile).div_ceil(each);
    let cells = each * table.tile_cells() as u64;
    let values = units.start * cells..(units.end * cells).min(table.values());
    Some(Units { units, values })
}

/// Computes a level, or only `some` of its units, if they fit into the remaining memory.
fn held(
    level: Level<'_>,
    some: Option<Units>,
    database: Option<&Database>,
    left: &mut u64,
    control: &Control,
) -> Result<Option<HeldLevel>, Error> {
    let some = match some {
        Some(some) => some,
        None => Units { units: 0..u64::MAX, values: 0..level.positions() },
    };
    let count = some.values.end - some.values.start;
    // A value has at most four bytes.
    let needed = count.saturating_mul(4);
    if needed > *left {
        return Ok(None);
    }
    *left -= needed;
    let level = match database {
        Some(database) => level.database(database),
        None => level,
    };
    let level = level.control(control);
    let (mut values, mut first) = (None, None);
    let (units, from) = (some.units, some.values.start as usize);
    level.each_of_units(
        |all| units.start..units.end.min(all),
        |block| {
            first = first.or_else(|| block.first_number());
            // Indices between two blocks belong to no positions.
            let number = block.first_number().unwrap_or(0) - first.unwrap_or(0);
            let new = || CellVec::with_capacity(block.values().width(), count as usize);
            let values = values.get_or_insert_with(new);
            values.pad(number as usize);
            values.extend(block.values());
            true
        },
    )?;
    let table = level.table().clone();
    let max_pile = table.max_pile();
    let layout = match table.numbering() {
        Numbering::Words => Layout::words(max_pile, table.length()),
        Numbering::Multisets => match table.multisets() {
            Some(multisets) => Layout::Multisets(multisets.clone()),
            None => unreachable!("{table} has no multisets"),
        },
        Numbering::Records => Layout::Triangle,
        Numbering::Middles
        | Numbering::LastMoves
        | Numbering::Sets
        | Numbering::SetRows
        | Numbering::Places
        | Numbering::PlaceMoves => Layout::Numbers(table, first.unwrap_or(0)),
    };
    let values = values.unwrap_or_else(|| CellVec::with_capacity(1, 0));
    Ok(Some(HeldLevel { values, from, layout, max_pile }))
}

impl Values for Lookups {
    fn beside(&self, game: Game) -> Option<Tiles<'_>> {
        let (table, ladder) = self.beside.iter().find(|(table, _)| table.game() == game)?;
        let new = || CellVec::with_capacity(ladder_bytes(table.max_pile()), 0);
        let (mut fill_tiles, mut ahead) = (ladder.filler(), new());
        let (mut first, mut count) = (Vec::new(), 0);
        let (max_pile, each) = (table.max_pile(), table.tile_cells());
        let fitting = AHEAD_BYTES / (each * ladder_bytes(max_pile)).max(1);
        let most = fitting.clamp(1, TILES_AHEAD) as Pile;
        let fill = move |word: &[Pile], cells: &mut CellVec| {
            // The last pile of words grows from tile to tile, while the others stay.
            let at = match (&word, &first[..]) {
                ([start @ .., last], [known @ .., from]) if start == known && last >= from => {
                    (last - from) as usize
                }
                _ => count,
            };
            let at = if at < count {
                at
            } else {
                first.clear();
                first.extend_from_slice(word);
                count = word.last().map_or(1, |last| most.min(max_pile - last + 1) as usize);
                fill_tiles(word, count, &mut ahead);
                0
            };
            cells.clear();
            cells.extend(ahead.cells().part(at * each..(at + 1) * each));
        };
        Some(Tiles { fill: Box::new(fill), cells: new() })
    }

    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError> {
        let held = match piles {
            [] => self.of(game).and_then(|held| held.empty),
            _ => self.level(game, piles.len()).and_then(|level| level.cell(piles, memory)),
        };
        if let Some(value) = held {
            return Ok(value);
        }
        if self.control.is_stopped() {
            return Err(Arc::new(Error::Stopped));
        }
        match self.database.answer(game, position_of(piles, memory)) {
            Ok(answer) => Ok(answer.cell()),
            Err(error) => Err(Arc::new(error)),
        }
    }

    fn dense(&self, game: Game, length: usize) -> Option<Dense<'_>> {
        match self.level(game, length)? {
            HeldLevel { values, from: 0, layout: Layout::Rows(strides), max_pile } => {
                Some(Dense { cells: values.cells(), strides, max_pile: *max_pile })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_kernels::cells::Cells;
    use grundy_rules::reference::Reference;
    use grundy_rules::{Position, games};

    fn level(game: Game, length: usize, max_pile: Pile) -> HeldLevel {
        let (mut left, control) = (1 << 30, Control::new());
        let level = Level::new(game, length, max_pile).unwrap();
        held(level, None, None, &mut left, &control).unwrap().unwrap()
    }

    /// In short global nim a last move larger than every pile forbids nothing. The expected values
    /// of Nim were calculated by hand.
    #[test]
    fn a_level_has_its_own_positions_and_no_others() {
        let nim = level(games::NIM, 2, 5);
        assert_eq!(nim.cell(&[5, 5], &Memory::Nothing), Some(0));
        assert_eq!(nim.cell(&[2, 5], &Memory::Nothing), Some(7));
        assert_eq!(nim.cell(&[2, 6], &Memory::Nothing), None);
        assert_eq!(nim.cell(&[6, 6], &Memory::Nothing), None);
        for length in [1, 2] {
            let game = games::SHORT_GLOBAL_NIM;
            let (held, mut reference) = (level(game, length, 5), Reference::new(game));
            for pile in 1..=5 {
                let piles = vec![pile; length];
                // If no last move is given, the piles are a position at the beginning of play.
                let start = held.cell(&piles, &Memory::Nothing);
                let expected = reference.value(&Position::after(piles.clone(), 0));
                assert!(start.is_none_or(|value| value == expected));
                for taken in 0..=7 {
                    let kept = if taken > pile { 0 } else { taken };
                    let expected = reference.value(&Position::after(piles.clone(), kept));
                    assert_eq!(held.cell(&piles, &Memory::last_move(taken)), Some(expected));
                }
            }
            assert_eq!(held.cell(&vec![6; length], &Memory::last_move(1)), None);
        }
    }

    /// There are 9, 45 and 165 multisets of one, two and three piles up to 9. Their values take
    /// four bytes each, and may use half of the limit.
    #[test]
    fn levels_are_cached_up_to_half_of_the_memory() {
        let held = |memory| {
            let control = Control::new();
            let found = Lookups::new(games::NIM, 1..=3, 9, None, memory, &control).unwrap();
            let levels = &found.games[0].levels;
            assert_eq!(levels.len(), 3);
            let cells =
                |held: &Option<HeldLevel>| held.as_ref().map(|held| held.values.cells().count());
            levels.iter().map(cells).collect::<Vec<_>>()
        };
        assert_eq!(held(MemoryLimit::new(2 * 4 * 219)), [Some(9), Some(45), Some(165)]);
        assert_eq!(held(MemoryLimit::new(2 * 4 * 219 - 1)), [Some(9), Some(45), None]);
        assert_eq!(held(MemoryLimit::new(2 * 4 * 54 - 1)), [Some(9), None, None]);
        // If a level does not fit, longer levels are not held either.
        assert_eq!(held(MemoryLimit::new(2 * 4 * 9)), [Some(9), None, None]);
        assert_eq!(held(MemoryLimit::new(2 * 4 * 9 - 1)), [None, None, None]);
        let control = Control::new();
        let single =
            Lookups::new(games::NIM, 2..=2, 9, None, MemoryLimit::default(), &control).unwrap();
        let holds = |length| single.holds(games::NIM, length);
        assert!(holds(2) && !holds(1) && !holds(3));
    }

    /// One level holds the heaps of every number. Its price is that of filling it: 16 bytes for
    /// each of the 272 partitions of 0 to 12. So there is no smaller price for fewer heaps.
    #[test]
    fn heaps_within_a_total_are_held_once() {
        let game: Game = crate::game("misere-kayles").unwrap();
        let of = |longest| Wanted {
            game,
            longest,
            max_pile: 12,
            in_all_orders: false,
            is_beside: false,
        };
        let price = 16 * 272;
        assert!([1, 3, 12, 13].iter().all(|&longest| of(longest).bytes().unwrap() == price));
        assert_eq!(of(3).bytes_within(MemoryLimit::default()), price);
        assert_eq!(of(3).longest_within(MemoryLimit::new(price - 1)), 0);
        let (kept, control) = (Kept::default(), Control::new());
        let held = |memory| {
            Lookups::of_games(&[of(2)], None, MemoryLimit::new(memory), &kept, &control).unwrap()
        };
        let (found, none) = (held(2 * price), held(2 * price - 1));
        let level = found.games[0].levels[0].as_ref().unwrap();
        assert!(level.bytes() + 4 * 272 <= price && found.games[0].levels.len() == 1);
        assert!(!none.holds(game, 1));
        let mut reference = Reference::new(game);
        for piles in [&[1][..], &[12], &[1, 2], &[5, 7], &[1, 2, 3], &[1; 12]] {
            assert!(found.holds(game, piles.len()));
            let cell = level.cell(piles, &Memory::Nothing);
            assert_eq!(cell, Some(reference.value(&game.position(piles))), "{piles:?}");
        }
        // A level of two heaps reads the same table, and so does a smaller total.
        let shared = kept.get(&Table::new(game, 9, 2).unwrap()).unwrap();
        assert!(Arc::ptr_eq(&shared, &kept.get(&Table::new(game, 12, 3).unwrap()).unwrap()));
        assert!(kept.get(&Table::new(game, 13, 2).unwrap()).is_none());
    }

    /// Levels 1 to 3 of piles up to 10 take 10, 100 and 1000 bytes; the first two are always held.
    #[test]
    fn a_ladder_reaches_as_high_as_it_fits() {
        let climbed = |max_pile, longest, memory| {
            let control = Control::new();
            let game = games::END_NIM;
            Lookups::new(game, 1..=longest, max_pile, None, memory, &control).unwrap()
        };
        let found = climbed(10, 3, MemoryLimit::new(2220));
        let held = [1, 2, 3, 4].map(|length| found.holds(games::END_NIM, length));
        assert_eq!(held, [true, true, true, false]);
        let dense = found.dense(games::END_NIM, 3).unwrap();
        assert_eq!((dense.strides, dense.max_pile), (&[10, 100, 1][..], 10));
        assert!(matches!(dense.cells, Cells::Bytes(cells) if cells.len() == 1000));
        assert!(
            found.dense(games::END_NIM, 4).is_none() && found.dense(games::END_NIM, 0).is_none()
        );
        assert!(
            !climbed(10, 3, MemoryLimit::new(2219)).holds(games::END_NIM, 3)
                && climbed(10, 3, MemoryLimit::new(1)).holds(games::END_NIM, 2)
        );
        // The coins of the two end piles bound the values, at every length. So values take one byte
        // for piles up to 127, and two bytes for piles up to 128.
        let wide = climbed(128, 2, MemoryLimit::new(1 << 20));
        let dense = wide.dense(games::END_NIM, 2).unwrap();
        assert!(matches!(dense.cells, Cells::Words(cells) if cells.len() == 128 * 128));
        assert_eq!(wide.cell(games::END_NIM, &[127, 128], &Memory::Nothing).unwrap(), 255);
        assert!(wide.holds(games::END_NIM, 2) && !wide.holds(games::END_NIM, 3));
        for length in [1, 2] {
            let [narrow, wide] = [127, 128].map(|n| climbed(n, length, MemoryLimit::new(1 << 20)));
            assert!(matches!(narrow.dense(games::END_NIM, length).unwrap().cells, Cells::Bytes(_)));
            assert!(matches!(wide.dense(games::END_NIM, length).unwrap().cells, Cells::Words(_)));
        }
    }
}
