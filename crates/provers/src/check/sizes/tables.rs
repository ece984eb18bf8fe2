//! The values of all positions of a box, solved from the rules.
//!
//! Each option of a position has a smaller place in its array, or fewer piles. So one pass in order
//! of the places fills an array. There are two ways. The first lists the moves of each position
//! with `grundy_rules`. The second is for lines that take any number of coins from one pile: it
//! reads all options of such a line from the arrays, and takes less than a nanosecond for each.

use std::collections::BTreeMap;

use grundy_language::ast::{Builtin, ExprKind};
use grundy_language::eval::Evaluator;
use grundy_rules::law::{At, Change, Choice, Law, MoveRule, Numbers};
use grundy_rules::{Game, Order, Outcome, Pile, Player, Position};

use super::tracked::Cells;
use crate::check::CheckError;

/// The largest number of positions of a box times its largest pile, for the two ways.
const MOST_LISTED: u64 = 1 << 27;
const MOST_READ: u64 = 1 << 33;

/// The value of piles that are no position.
const NONE: u8 = u8::MAX;

pub(super) struct Tables {
    pub(super) game: Game,
    pub(super) largest: u32,
    pub(super) cap: i64,
    pub(super) modulus: i64,
    side: usize,
    all: BTreeMap<usize, Vec<u8>>,
    empty: Option<u8>,
}

/// A line of the rules that takes any number of coins from one pile.
struct Whole<'a> {
    rule: &'a MoveRule,
    /// The piles, one of which the line lowers.
    piles: Vec<usize>,
}

impl Tables {
    /// Fills the tables of these numbers of piles. Returns the way in words too.
    pub(super) fn filled(
        game: Game,
        law: &Law,
        lengths: &[usize],
        (largest, cap, modulus): (u32, i64, i64),
        most: Pile,
    ) -> Result<(Tables, &'static str), CheckError> {
        let side = most as usize + 1;
        let mut tables =
            Tables { game, largest, cap, modulus, side, all: BTreeMap::new(), empty: None };
        let longest = lengths.last().copied().unwrap_or(0) as u32;
        let steps = (side as u64).checked_pow(longest + 1).unwrap_or(u64::MAX);
        let whole = |length: &usize| whole(law, *length).filter(|_| game.is_impartial());
        let lines: Option<Vec<_>> = lengths.iter().map(whole).collect();
        let (lines, way) = match lines {
            _ if steps <= MOST_LISTED => (None, "solved from the rules"),
            Some(lines) if steps <= MOST_READ => {
                (Some(lines), "solved from the rules, whole piles at once")
            }
            _ => return Err(CheckError::Box(most)),
        };
        if game.has_empty_position() && !matches!(game.order(), Order::Places) {
            tables.empty = Some(tables.solve(&game.position(&[]))?);
        }
        for (at, &length) in lengths.iter().enumerate() {
            tables.all.insert(length, vec![NONE; side.pow(length as u32)]);
            for place in 0..side.pow(length as u32) {
                let piles = tables.piles(length, place);
                let Some(position) = tables.position(&piles) else { continue };
                let value = match &lines {
                    Some(lines) => tables.read(&lines[at], &piles, place)?,
                    None => tables.solve(&position)?,
                };
                if let Some(table) = tables.all.get_mut(&length) {
                    table[place] = value;
                }
            }
        }
        Ok((tables, way))
    }

    fn piles(&self, length: usize, mut place: usize) -> Vec<Pile> {
        let mut piles = vec![0; length];
        for pile in piles.iter_mut().rev() {
            (*pile, place) = ((place % self.side) as Pile, place / self.side);
        }
        piles
    }

    fn place(&self, piles: impl Iterator<Item = usize>) -> usize {
        piles.fold(0, |place, pile| place * self.side + pile)
    }

    /// Returns the position of these piles, if the game has it.
    fn position(&self, piles: &[Pile]) -> Option<Position> {
        let is_valid = match self.game.order() {
            Order::Row => !piles.contains(&0),
            Order::Any => !piles.contains(&0) && piles.is_sorted(),
            Order::Places => true,
        };
        let position = is_valid.then(|| self.game.position(piles))?;
        self.game.keeps(&position).then_some(position)
    }

    /// Returns all positions of a length with their values, in order.
    pub(super) fn positions(&self, length: usize) -> impl Iterator<Item = (Vec<Pile>, u8)> + '_ {
        let all = self.all[&length].iter().enumerate().filter(|(_, value)| **value != NONE);
        all.map(move |(place, value)| (self.piles(length, place), *value))
    }

    /// Returns the value of a position, from the values of its options. Values above the largest
    /// one count as one more than the largest.
    fn solve(&self, position: &Position) -> Result<u8, CheckError> {
        let mut seen = [false; 256];
        let (mut left, mut right, mut any) = (false, false, false);
        for made in self.game.try_moves(position)? {
            let value = self.value(made.option.piles()).ok_or(CheckError::Members)?;
            (seen[usize::from(value)], any) = (true, true);
            // The classes in which the other player does not win by moving first.
            let class = Outcome::ALL[usize::from(value) % 4];
            left |= made.player != Player::Right && matches!(class, Outcome::L | Outcome::P);
            right |= made.player != Player::Left && matches!(class, Outcome::R | Outcome::P);
        }
        if !self.game.is_impartial() {
            let misere = !any && self.game.terminal_value() == 1;
            return Ok(Outcome::of_first_moves(left || misere, right || misere) as u8);
        }
        Ok(self.least_other(&seen, any))
    }

    fn least_other(&self, seen: &[bool; 256], any: bool) -> u8 {
        let mex = (0..=self.largest as u8).find(|value| !seen[usize::from(*value)]);
        match any {
            false => self.game.terminal_value() as u8,
            true => mex.unwrap_or(self.largest as u8 + 1),
        }
    }

    /// Returns the value of a position. All its moves are moves of the lines.
    fn read(&self, lines: &[Whole<'_>], piles: &[Pile], place: usize) -> Result<u8, CheckError> {
        let length = piles.len();
        let (mut seen, mut any) = ([false; 256], false);
        for line in lines {
            let context = At::new(piles);
            let mut names = Evaluator::new(&context);
            names.names = vec![grundy_language::Val::Int(0); line.rule.binders.len()];
            let mut holds = true;
            for condition in &line.rule.before {
                holds = holds && names.truth(condition).map_err(|_| CheckError::Members)?;
            }
            if !holds {
                continue;
            }
            for &pile in &line.piles {
                let coins = piles[pile] as usize;
                let with = |left: usize| {
                    let mut all: Vec<usize> = piles.iter().map(|&coins| coins as usize).collect();
                    all[pile] = left;
                    all.retain(|coins| *coins > 0 || self.game.order() == Order::Places);
                    all
                };
                any |= coins > 0;
                match self.game.order() {
                    // The heaps stay in order only if they are sorted again.
                    Order::Any => {
                        for left in 0..coins {
                            let mut all = with(left);
                            all.sort_unstable();
                            seen[usize::from(self.at(&all)?)] = true;
                        }
                    }
                    order => {
                        let from = usize::from(order == Order::Row);
                        if from == 1 && coins > 0 {
                            seen[usize::from(self.at(&with(0))?)] = true;
                        }
                        let step = self.side.pow((length - 1 - pile) as u32);
                        let table = &self.all[&length];
                        for left in from..coins {
                            seen[usize::from(table[place - (coins - left) * step])] = true;
                        }
                    }
                }
            }
        }
        match seen[usize::from(NONE)] {
            true => Err(CheckError::Members),
            false => Ok(self.least_other(&seen, any)),
        }
    }

    fn at(&self, piles: &[usize]) -> Result<u8, CheckError> {
        if piles.is_empty() {
            return self.empty.ok_or(CheckError::Members);
        }
        let table = self.all.get(&piles.len()).ok_or(CheckError::Members)?;
        Ok(table[self.place(piles.iter().copied())])
    }

    pub(super) fn value(&self, piles: &[Pile]) -> Option<u8> {
        if piles.is_empty() {
            return self.empty;
        }
        let table = self.all.get(&piles.len())?;
        if piles.iter().any(|&pile| pile as usize >= self.side) {
            return None;
        }
        let place = self.place(piles.iter().map(|&pile| pile as usize));
        Some(table[place]).filter(|value| *value != NONE)
    }

    /// Returns the least numbers of the type of some numbers.
    fn shrunk(&self, piles: &[Pile]) -> Vec<Pile> {
        let (cap, modulus) = (self.cap as Pile, self.modulus as Pile);
        let mut sorted = piles.to_vec();
        sorted.sort_unstable();
        let (mut below, mut least) = (0, 0);
        for number in &mut sorted {
            let gap = *number - below;
            below = *number;
            least += if gap < cap { gap } else { cap + (gap - cap) % modulus };
            *number = least;
        }
        let mut of = piles.to_vec();
        of.sort_unstable();
        let place = |pile: &Pile| sorted[of.partition_point(|other| other < pile)];
        piles.iter().map(place).collect()
    }

    /// Compares the value of each position with that of the least position of its type.
    pub(super) fn are_of_types(&self, length: usize) -> Result<(), CheckError> {
        for (piles, value) in self.positions(length) {
            let least = self.shrunk(&piles);
            if self.value(&least) != Some(value) {
                let [one, other] =
                    [&piles, &least].map(|piles| self.game.position(piles).to_string());
                return Err(CheckError::Types(one, other));
            }
        }
        Ok(())
    }

    /// Returns the digest of all values, in order, and the number of positions of the last length.
    pub(super) fn digest(&self) -> (String, usize) {
        let mut hash = blake3::Hasher::new();
        let mut count = 0;
        for table in self.all.values() {
            let values: Vec<u8> = table.iter().copied().filter(|value| *value != NONE).collect();
            count = values.len();
            hash.update(&values);
        }
        (hash.finalize().to_hex().to_string(), count)
    }
}

/// The values of positions of all sizes: outside the box, those of the least position of the type.
impl Cells for Tables {
    fn cell(&self, piles: &[i64]) -> Option<u8> {
        let found: Option<Vec<Pile>> =
            piles.iter().map(|&pile| Pile::try_from(pile).ok()).collect();
        let mut piles = found?;
        match self.game.order() {
            Order::Row => {
                let first = piles.iter().position(|&pile| pile != 0).unwrap_or(piles.len());
                piles.drain(..first);
                while piles.last() == Some(&0) {
                    piles.pop();
                }
            }
            Order::Any => {
                piles.retain(|&pile| pile != 0);
                piles.sort_unstable();
            }
            Order::Places => {}
        }
        match piles.iter().any(|&pile| pile as usize >= self.side) {
            true => self.value(&self.shrunk(&piles)),
            false => self.value(&piles),
        }
    }

    fn options(&self, piles: &[i64]) -> Option<Vec<(Player, u8)>> {
        let piles: Option<Vec<Pile>> =
            piles.iter().map(|&pile| Pile::try_from(pile).ok()).collect();
        let moves = self.game.try_moves(&self.game.position(&piles?)).ok()?;
        let cells = moves.iter().map(|made| {
            let piles: Vec<i64> = made.option.piles().iter().map(|&pile| pile.into()).collect();
            Some((made.player, self.cell(&piles)?))
        });
        cells.collect()
    }

    fn has_values(&self) -> bool {
        self.game.is_impartial()
    }

    fn largest(&self) -> i64 {
        self.largest.into()
    }
}

/// Returns the lines of the rules, if each takes any number of coins from one pile.
fn whole(law: &Law, length: usize) -> Option<Vec<Whole<'_>>> {
    law.moves.iter().map(|rule| whole_line(rule, length)).collect()
}

fn whole_line(rule: &MoveRule, length: usize) -> Option<Whole<'_>> {
    let (last, before) = rule.binders.split_last()?;
    let [effect] = &rule.effects[..] else { return None };
    let is_name = |kind: &ExprKind, of: usize| matches!(kind, ExprKind::Local(_, at) if *at == of);
    let piles = match before {
        [] => vec![match &effect.pile.kind {
            ExprKind::Int(number) => usize::try_from(number - 1).ok()?,
            ExprKind::Builtin(Builtin::Length) => length - 1,
            _ => return None,
        }],
        [chosen] => match &chosen.of {
            Choice::Number(Numbers::Range(from, to))
                if from.kind == ExprKind::Int(1)
                    && to.kind == ExprKind::Builtin(Builtin::Length)
                    && is_name(&effect.pile.kind, chosen.place) =>
            {
                (0..length).collect()
            }
            _ => return None,
        },
        _ => return None,
    };
    let Choice::Number(Numbers::Range(from, to)) = &last.of else { return None };
    let is_pile = match &to.kind {
        ExprKind::Builtin(Builtin::First) => piles == [0],
        ExprKind::Builtin(Builtin::Last) => piles == [length - 1],
        ExprKind::Builtin(Builtin::Pile(number)) => piles == [number - 1],
        ExprKind::Index(list, index) => {
            list.kind == ExprKind::Builtin(Builtin::Piles)
                && before.iter().all(|chosen| is_name(&index.kind, chosen.place))
                && !before.is_empty()
        }
        _ => false,
    };
    let lowers = matches!(&effect.change, Change::Less(e) if is_name(&e.kind, last.place));
    let is_whole = from.kind == ExprKind::Int(1) && is_pile && lowers && rule.after.is_empty();
    (is_whole && piles.iter().all(|pile| *pile < length)).then_some(Whole { rule, piles })
}
