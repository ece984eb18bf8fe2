//! Gathers the values of options. Each lane has a set of these values, stored as bits.
//!
//! If moves lower one end of a row, the values of the options are read from memory, without listing
//! moves. Options of the same length are on two lines through the position, in its tile or level.
//! Options that remove an end pile are in the level of rows with one pile fewer. In other games,
//! all moves are listed, and the values of their options are looked up.

use grundy_kernels::with_cells;
use grundy_language::Span;
use grundy_language::fault::{Cause, Fault};
use grundy_rules::{Pile, Player};

use crate::lane::{Col, Lane};
use crate::machine::{Around, Registers};
use crate::program::{Arg, OptionSide};
use crate::values::{Dense, Lines};

impl OptionSide {
    fn has(self, player: Player) -> bool {
        match self {
            OptionSide::All => true,
            OptionSide::Left => player != Player::Right,
            OptionSide::Right => player != Player::Left,
        }
    }
}

/// The cells from which the values of options are read, if moves lower an end of a row.
struct Lowered<'a> {
    /// For the first pile and for the last pile, true if the options of its moves are wanted.
    wanted: [bool; 2],
    tile: Option<Lines<'a>>,
    level: Option<Dense<'a>>,
    below: Dense<'a>,
}

impl<'a> Lowered<'a> {
    fn new(around: &Around<'a>, whose: OptionSide) -> Option<Lowered<'a>> {
        let players = around.game.lowers_ends()?;
        let mut piles = Vec::new();
        around.lanes.position(0, &mut piles);
        let tile = around.lanes.tile();
        let level =
            if tile.is_none() { around.values.dense(around.game, piles.len()) } else { None };
        let below = around.values.dense(around.game, piles.len().checked_sub(1)?)?;
        let found = Lowered { wanted: players.map(|p| whose.has(p)), tile, level, below };
        (tile.is_some() || level.is_some()).then_some(found)
    }

    /// Marks the values of a row's options. Returns false if a value is not in memory.
    fn mark(&self, lane: usize, piles: &[Pile], bits: &mut [u64]) -> bool {
        let (&[first, ..], &[.., last]) = (piles, piles) else { return false };
        let (rest, word) =
            (self.below.place(&piles[1..]), self.below.place(&piles[..piles.len() - 1]));
        let (Some(rest), Some(word)) = (rest, word) else { return false };
        let (cells, place, steps) = match (&self.tile, &self.level) {
            (Some(lines), _) => (lines.cells, lines.from + lane, lines.steps),
            (None, Some(level)) => match (level.place(piles), level.strides) {
                (Some(place), &[first, .., last]) => (level.cells, place, [first, last]),
                _ => return false,
            },
            (None, None) => return false,
        };
        let ends = [(first, rest), (last, word)].into_iter().zip(steps).zip(self.wanted);
        for (((pile, without), step), _) in ends.filter(|(_, wanted)| *wanted) {
            set(self.below.cells.get(without), bits);
            with_cells!(cells, cells => line(cells, place, step, pile as usize - 1, bits));
        }
        true
    }
}

impl Dense<'_> {
    fn place(&self, piles: &[Pile]) -> Option<usize> {
        let is_held = piles.iter().all(|&pile| pile <= self.max_pile);
        let places = piles.iter().zip(self.strides);
        is_held.then(|| places.map(|(&pile, stride)| (pile as usize - 1) * stride).sum())
    }
}

fn line<T: Copy + Into<u32>>(
    cells: &[T],
    place: usize,
    step: usize,
    count: usize,
    bits: &mut [u64],
) {
    let lower = (1..=count).map(|taken| cells[place - taken * step].into());
    match bits {
        // The compiler can keep a set of one word in a register of the CPU.
        [word] => *word = lower.fold(*word, |w, value| w | 1u64.checked_shl(value).unwrap_or(0)),
        _ => lower.for_each(|value| set(value, bits)),
    }
}

#[inline(always)]
fn set(value: u32, bits: &mut [u64]) {
    if let Some(word) = bits.get_mut(value as usize / 64) {
        *word |= 1 << (value % 64);
    }
}

impl<L: Lane> Registers<L> {
    /// Gathers the values of options in the lanes of the mask.
    pub(crate) fn gather(
        &mut self,
        slot: usize,
        mask: Arg,
        span: Span,
        from: usize,
        lanes: usize,
        around: &Around<'_>,
    ) -> Result<(), (usize, Fault)> {
        let mut all = std::mem::take(&mut self.options[slot]);
        let whose = self.whose[slot];
        let mask = self.col(mask, from, lanes);
        let lowered = Lowered::new(around, whose);
        let mut piles = Vec::new();
        let mut found = Ok(());
        for (lane, bits) in all.chunks_exact_mut(self.words).take(lanes).enumerate() {
            bits.fill(0);
            if mask.at(lane) == L::default() {
                continue;
            }
            let memory = around.lanes.position(lane, &mut piles);
            if lowered.as_ref().is_some_and(|lowered| lowered.mark(lane, &piles, bits)) {
                continue;
            }
            let mut show = |player: Player, cell: u32| {
                if whose.has(player) {
                    set(cell, bits);
                }
            };
            if let Err(error) = around.values.options(around.game, &piles, &memory, &mut show) {
                found = Err((lane, Fault { span, cause: Cause::Value(error) }));
                break;
            }
        }
        self.options[slot] = all;
        found
    }

    /// Tests in each lane if a number is the value of an option.
    pub(crate) fn has_option(&mut self, slot: usize, a: Arg, out: Arg, from: usize, lanes: usize) {
        let words = self.words;
        let place = |value: L| usize::try_from(value.wide()).ok().filter(|v| v / 64 < words);
        self.write(out, from, lanes, |this, column| {
            let lanes = column.iter_mut().zip(this.options[slot].chunks_exact(words));
            match this.col(a, from, lanes.len()) {
                Col::All(value) => match place(value) {
                    Some(v) => {
                        lanes.for_each(|(to, bits)| {
                            *to = L::truth(bits[v / 64] >> (v % 64) & 1 == 1);
                        });
                    }
                    None => lanes.for_each(|(to, _)| *to = L::default()),
                },
                Col::Each(values) => {
                    for ((to, bits), &value) in lanes.zip(values) {
                        let found = place(value).is_some_and(|v| bits[v / 64] >> (v % 64) & 1 == 1);
                        *to = L::truth(found);
                    }
                }
            }
        });
    }

    /// Writes a number for each lane, computed from the values of its options.
    pub(crate) fn of_options(
        &mut self,
        slot: usize,
        out: Arg,
        from: usize,
        lanes: usize,
        number: impl Fn(&[u64]) -> u32,
    ) {
        self.write(out, from, lanes, |this, column| {
            let all = this.options[slot].chunks_exact(this.words);
            for (to, bits) in column.iter_mut().zip(all) {
                *to = L::of(number(bits).into());
            }
        });
    }
}
