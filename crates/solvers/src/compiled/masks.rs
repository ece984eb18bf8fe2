//! Writes out a line of a rule file as single options. A mask marks the cells that have an option.
//!
//! Conditions such as `t != p1`, which relate a chosen number to a pile, need masks. For each
//! choice of numbers, each condition that mentions piles becomes a table of truth values
//! ([`Truth`]). The table has an entry for each combination of sizes of these piles. The tables
//! also prove that no pile becomes negative.

use grundy_kernels::shapes::{Open, Shape};
use grundy_language::{Evaluator, Expr, Val};
use grundy_rules::Pile;
use grundy_rules::law::{At, Change};

use super::line::{Line, MOST_MOVES, linear, mentions, piles_of};

/// The maximum number of entries in the tables of a line. Computing them takes a tenth of a second.
const MOST_ENTRIES: usize = 1 << 21;

/// The truth values of conditions, for all sizes of the piles that they mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    /// The indices (from 0) of the mentioned piles, in ascending order.
    piles: Vec<usize>,
    side: usize,
    /// The truth values. Consecutive entries differ in the size of the last pile.
    values: Vec<bool>,
}

impl Truth {
    /// Evaluates conditions in order, up to the first false one, for piles from `least` to
    /// `largest`. Returns `None` if a condition has no value for some piles, or if the table has
    /// more than `most` entries.
    pub(crate) fn new(
        conditions: &[&Expr],
        names: &[Val],
        (length, least, largest): (usize, usize, usize),
        most: usize,
    ) -> Option<Truth> {
        let mut piles = std::collections::BTreeSet::new();
        for condition in conditions {
            piles.extend(piles_of(condition).filter(|piles| piles.iter().all(|&at| at < length))?);
        }
        let (piles, side) = (piles.into_iter().collect::<Vec<_>>(), largest + 1);
        let entries = side.checked_pow(piles.len() as u32).filter(|&entries| entries <= most)?;
        let mut at = vec![least as Pile; length];
        let mut values = vec![false; entries];
        for (entry, value) in values.iter_mut().enumerate() {
            let mut rest = entry;
            for &pile in piles.iter().rev() {
                (at[pile], rest) = ((rest % side) as Pile, rest / side);
            }
            if at.iter().all(|&pile| pile as usize >= least) {
                let here = At::new(&at);
                let mut evaluator = Evaluator::new(&here);
                *value = true;
                for condition in conditions {
                    evaluator.names = names.to_vec();
                    *value = *value && evaluator.truth(condition).ok()?;
                }
            }
        }
        Some(Truth { piles, side, values })
    }

    /// True if the conditions hold only where `pile` is at least `number`.
    fn needs(&self, pile: usize, number: usize) -> bool {
        let Some(at) = self.piles.iter().position(|&of| of == pile) else { return false };
        let stride = self.side.pow((self.piles.len() - 1 - at) as u32);
        let coins = |entry: usize| entry / stride % self.side;
        self.values.iter().enumerate().all(|(entry, &truth)| !truth || coins(entry) >= number)
    }

    /// True if the conditions are equivalent to the condition that `pile` is at least `number`.
    fn says(&self, pile: usize, number: usize) -> bool {
        self.piles == [pile]
            && self.values.iter().enumerate().all(|(coins, &truth)| truth == (coins >= number))
    }

    /// Clears the marks of the last piles (columns) for which the conditions are false.
    pub(crate) fn close(&self, outer: &[Pile], columns: &mut [bool]) -> Open {
        let reads_last = self.piles.last() == Some(&outer.len());
        let before = &self.piles[..self.piles.len() - usize::from(reads_last)];
        let row = before.iter().fold(0, |row, &pile| row * self.side + outer[pile] as usize);
        if !reads_last {
            return if self.values[row] { Open::Always } else { Open::Never };
        }
        let values = &self.values[row * self.side..][..self.side];
        columns.iter_mut().zip(values).for_each(|(column, value)| *column &= value);
        Open::Some
    }
}

/// An option, and the conditions under which it exists.
pub(crate) type Masked = (Shape, Vec<Truth>);

impl Line<'_> {
    /// Returns the options of the line. `None` if there are too many, if an expression cannot be
    /// written out, or if a pile might become negative.
    pub(super) fn masked(&self) -> Option<Vec<Masked>> {
        let plain = self.plain;
        let binders = plain.binders.len();
        let mut taken = Vec::new();
        for (pile, change) in &plain.effects {
            let Change::Less(number) = change else { return None };
            taken.push((*pile, linear(number)?));
        }
        // A move takes each chosen number from a pile, so no number exceeds the largest pile.
        let is_taken = |place| taken.iter().any(|(_, of)| of.factor > 0 && of.place == place);
        if !(0..binders).all(is_taken) {
            return None;
        }
        let conditions = self.conditions();
        let (told, asked): (Vec<&Expr>, Vec<&Expr>) =
            conditions.iter().partition(|condition| !mentions(condition, binders).piles);
        let side = self.largest + 1;
        let choices = u32::try_from(binders).ok().and_then(|count| side.checked_pow(count));
        let mut found = Vec::new();
        let mut entries = MOST_ENTRIES;
        for choice in 0..choices.filter(|&choices| choices <= MOST_MOVES << 4)? {
            let numbers: Vec<usize> =
                (0..binders).map(|place| choice / side.pow(place as u32) % side).collect();
            if !self.allows(&numbers, &told)? {
                continue;
            }
            let names: Vec<Val> = numbers.iter().map(|&number| Val::Int(number as i128)).collect();
            let mut less = vec![0; self.length];
            for &(pile, of) in &taken {
                less[pile] = of.factor * numbers.get(of.place).copied().unwrap_or(0) + of.more;
            }
            let size = self.size();
            // If a condition is undefined where an earlier condition is false, use one table for
            // all conditions.
            let each = asked.iter().map(|one| Truth::new(&[one], &names, size, entries));
            let mut tables = match each.collect::<Option<Vec<_>>>() {
                Some(tables) => tables,
                None => vec![Truth::new(&asked, &names, size, entries)?],
            };
            entries = entries.checked_sub(tables.iter().map(|table| table.values.len()).sum())?;
            if tables.iter().any(|table| !table.values.contains(&true)) {
                continue;
            }
            if less.iter().all(|&less| less == 0) {
                if plain.skips_nothing {
                    continue;
                }
                return None;
            }
            let is_safe = |(pile, &less): (usize, &usize)| {
                less <= self.least || tables.iter().any(|table| table.needs(pile, less))
            };
            if !less.iter().enumerate().all(is_safe) {
                return None;
            }
            // Drop conditions that only prevent negative piles, because the kernel prevents them.
            tables.retain(|table| !(0..self.length).any(|pile| table.says(pile, less[pile])));
            found.push((Shape::Ray { first: less, step: vec![0; self.length] }, tables));
            if found.len() > MOST_MOVES {
                return None;
            }
        }
        Some(found)
    }
}
