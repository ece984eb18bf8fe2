//! Looks up the values of other positions, for the lanes of a column.
//!
//! The index of a value in memory is a sum over the piles. If these piles are the ends of a tile,
//! shifted or not, and the piles between the ends, then the lanes of a row of the tile have values
//! at equal distances, and only the first index differs from tile to tile. So these *lines* are
//! found once for all tiles. Other indices are computed lane by lane, and values that are not in
//! memory are looked up one by one.

use grundy_kernels::with_cells;
use grundy_language::ast::Property;
use grundy_language::eval::LARGEST_PILE;
use grundy_language::fault::{Cause, Fault};
use grundy_rules::{Game, Memory, MoveSet, Order, Pile};

use crate::lane::{Col, Lane};
use crate::lines::LookupLines;
use crate::machine::{Around, Registers};
use crate::position_context::no_position;
use crate::program::{Arg, LookUp, Remembered};
use crate::values::Dense;

/// The largest number of columns whose lines are kept. A program may have very many look-ups.
const MOST_KEPT: usize = 1 << 14;

impl<L: Lane> Registers<L> {
    #[inline(always)]
    pub(crate) fn other(
        &mut self,
        step: usize,
        look_up: &LookUp,
        from: usize,
        out: &mut [L],
        around: &Around<'_>,
    ) -> Result<(), (usize, Fault)> {
        let lanes = out.len();
        let piles = &look_up.piles[..];
        let dense = match look_up.remembered {
            Remembered::Beginning if look_up.property != Property::Exists => {
                let is_beside = |(game, _): &&(Game, _)| look_up.is_here && *game == look_up.game;
                let tile = around.beside.iter().find(is_beside).map(|(_, tile)| *tile);
                tile.or_else(|| around.values.dense(look_up.game, piles.len()))
            }
            _ => None,
        };
        let dense = dense.filter(|dense| u32::try_from(dense.cells.count()).is_ok());
        let Some(dense) = dense else {
            return self.one_by_one(look_up, from, out, None, around);
        };
        let start = self.start(piles, &dense, from, lanes);
        if let Some(start) = start
            && let Some(lines) = self.lines(step, piles, &dense, from, lanes)
        {
            with_cells!(dense.cells, cells => lines.copy(cells, start, out));
            return Ok(());
        }
        let (mut places, mut outside) =
            (std::mem::take(&mut self.places), std::mem::take(&mut self.outside));
        let (to, marks) = (&mut places[..lanes], &mut outside[..lanes]);
        let is_inside = self.place(piles, &dense, from, start, to, marks);
        with_cells!(dense.cells, cells => pick(cells, &places[..lanes], out));
        let found = match is_inside {
            true => Ok(()),
            false => self.one_by_one(look_up, from, out, Some(&outside[..lanes]), around),
        };
        (self.places, self.outside) = (places, outside);
        found
    }

    /// Returns the part of the index that is the same in all lanes. `None` if a pile that is the
    /// same in all lanes is not in memory.
    #[inline(always)]
    fn start(&self, piles: &[Arg], dense: &Dense<'_>, from: usize, lanes: usize) -> Option<u32> {
        let mut start = 0;
        for (&pile, &stride) in piles.iter().zip(dense.strides) {
            if let Col::All(pile) = self.col(pile, from, lanes) {
                // A pile outside 1..=max_pile is not in memory.
                let inside = (1..=i128::from(dense.max_pile)).contains(&pile.wide());
                start += inside.then(|| (pile.wide() as u32 - 1) * stride as u32)?;
            }
        }
        Some(start)
    }

    /// Computes the index of each lane's row in memory from the part that is the same in all lanes.
    /// Marks the lanes whose rows are not in memory. Returns true if all rows are in memory.
    #[inline(always)]
    fn place(
        &self,
        piles: &[Arg],
        dense: &Dense<'_>,
        from: usize,
        start: Option<u32>,
        places: &mut [u32],
        outside: &mut [bool],
    ) -> bool {
        places.fill(start.unwrap_or(0));
        outside.fill(start.is_none());
        let lanes = places.len();
        let mut any_outside = start.is_none();
        for (&pile, &stride) in piles.iter().zip(dense.strides) {
            let Col::Each(column) = self.col(pile, from, lanes) else { continue };
            // If a lane is too narrow for the largest pile, no number in it exceeds this pile.
            let widest = (1i128 << (L::BITS - 1).min(126)) - 1;
            let most = i128::from(dense.max_pile).min(widest);
            let (least, highest) = (L::of(1), L::of(most));
            let stride = stride as u32;
            let mut bad = false;
            for ((&pile, place), outside) in column.iter().zip(&mut *places).zip(&mut *outside) {
                let out = (pile < least) | (pile > highest);
                let at = if out { 0 } else { pile.low().wrapping_sub(1) };
                *place = place.wrapping_add(at.wrapping_mul(stride));
                *outside |= out;
                bad |= out;
            }
            any_outside |= bad;
        }
        !any_outside
    }

    /// Returns the lines of a look-up whose piles are the same in every tile, except those that
    /// are the same in all lanes. `None` for other look-ups, and if there are too many lines.
    #[inline(always)]
    fn lines(
        &mut self,
        step: usize,
        piles: &[Arg],
        dense: &Dense<'_>,
        from: usize,
        lanes: usize,
    ) -> Option<&LookupLines> {
        let is_shared = |pile: &Arg| !matches!(pile, Arg::Cell(_));
        if !self.has_whole_columns() || !piles.iter().all(is_shared) {
            return None;
        }
        if !self.lines.contains_key(&(step, from, lanes)) {
            if self.lines.len() >= MOST_KEPT {
                return None;
            }
            let found = self.find_lines(piles, dense, from, lanes);
            self.lines.insert((step, from, lanes), found);
        }
        self.lines.get(&(step, from, lanes))?.as_ref()
    }

    #[inline(never)]
    fn find_lines(
        &self,
        piles: &[Arg],
        dense: &Dense<'_>,
        from: usize,
        lanes: usize,
    ) -> Option<LookupLines> {
        let (mut places, mut outside) = (vec![0; lanes], vec![false; lanes]);
        let is_inside = self.place(piles, dense, from, Some(0), &mut places, &mut outside);
        if is_inside { LookupLines::of(&places) } else { None }
    }

    /// Looks up values one by one, in all lanes or only in the lanes that `outside` marks.
    #[inline(never)]
    fn one_by_one(
        &self,
        &LookUp { game, property, ref piles, remembered, mask, span, .. }: &LookUp,
        from: usize,
        out: &mut [L],
        outside: Option<&[bool]>,
        around: &Around<'_>,
    ) -> Result<(), (usize, Fault)> {
        let lanes = out.len();
        let mask = self.col(mask, from, lanes);
        let columns: Vec<_> = piles.iter().map(|&pile| self.col(pile, from, lanes)).collect();
        let memory = match remembered {
            Remembered::Beginning => None,
            Remembered::State(arg) | Remembered::Moves(arg) => Some(self.col(arg, from, lanes)),
        };
        let is_set = matches!(remembered, Remembered::Moves(_));
        let mut numbers = Vec::with_capacity(piles.len());
        for lane in 0..lanes {
            if outside.is_some_and(|outside| !outside[lane]) {
                continue;
            }
            out[lane] = L::default();
            if mask.at(lane) == L::default() {
                continue;
            }
            numbers.clear();
            numbers.extend(columns.iter().map(|column| column.at(lane).wide()));
            let remembered = memory.map(|memory| (memory.at(lane).wide(), is_set));
            let fault = |cause| (lane, Fault { span, cause });
            let found = named(game, &numbers, remembered);
            if property == Property::Exists {
                out[lane] = L::truth(found.is_some());
                continue;
            }
            let Some((piles, memory)) = found else {
                return Err(fault(no_position(&numbers, game, around.game)));
            };
            let cell = around.values.cell(game, &piles, &memory);
            out[lane] = L::of_cell(cell.map_err(|error| fault(Cause::Value(error)))?);
        }
        Ok(())
    }
}

/// Copies values from memory. If the row of a lane is not in memory, its value is arbitrary.
#[inline(always)]
fn pick<T: Copy + Into<u32>, L: Lane>(cells: &[T], places: &[u32], out: &mut [L]) {
    for (out, &place) in out.iter_mut().zip(places) {
        *out = L::of_cell(cells.get(place as usize).map_or(0, |&cell| cell.into()));
    }
}

/// Returns the position that these piles describe. `None` if the position is invalid, for example a
/// row with an empty pile between other piles.
fn named(
    game: Game,
    numbers: &[i128],
    remembered: Option<(i128, bool)>,
) -> Option<(Vec<Pile>, Memory)> {
    let mut piles = Vec::with_capacity(numbers.len());
    let mut gap = false;
    for &number in numbers {
        match number {
            0 if game.order().least_pile() == 0 => piles.push(0),
            0 => gap |= !piles.is_empty(),
            1..=LARGEST_PILE if gap && game.order() == Order::Row => return None,
            1..=LARGEST_PILE => piles.push(number as Pile),
            _ => return None,
        }
    }
    if game.order() == Order::Any {
        piles.sort_unstable();
    }
    if piles.is_empty() && !game.has_empty_position() {
        return None;
    }
    let memory = match remembered {
        None => game.position(&piles).memory().clone(),
        Some((moves, true)) => {
            let largest = piles.iter().copied().max().unwrap_or(0);
            let members = (1..=126).filter(|s| moves >> (s - 1) & 1 == 1 && *s <= largest);
            Memory::Available(MoveSet::of_runs(members.map(|s| (s, s)).collect())?)
        }
        Some((taken, false)) => {
            let taken = Pile::try_from(taken).ok().filter(|&t| i128::from(t) <= LARGEST_PILE)?;
            game.memory(taken)
        }
    };
    game.keeps(&game.position_with(&piles, &memory)).then_some((piles, memory))
}
