//! Statements about values alone, in sums of several piles.
//!
//! The value of such a position is a nim-sum, so the number of positions of each value follows from
//! the values of single piles ([`nim_sums`]). The statement is evaluated once for each value, at
//! any position, because it speaks of nothing else.

use grundy_questions::Column;
use grundy_rules::{IN_BROWSER, Memory};
use grundy_solvers::solver;
use grundy_sweep::cost::price;
use grundy_sweep::{Control, nim_sums};

use super::gathered::QuestionTally;
use super::question::{Ask, AskError};
use crate::{Error, Level};

impl Ask<'_> {
    /// True if the results of a check follow from the numbers of positions of each value.
    pub(crate) fn is_by_value(&self, level: &Level<'_>) -> bool {
        !IN_BROWSER
            && self.game().is_sum()
            && level.table().length() > 1
            && self.show <= 1
            && !self.counted
            && self.question.asks_values_only()
    }

    /// Returns the approximate seconds of a check by values.
    pub(crate) fn seconds_by_value(&self, level: &Level<'_>, threads: u64) -> Result<f64, Error> {
        let single = self.level_of_values(1, level.table().max_pile())?;
        let (table, length) = (single.table(), level.table().length() as f64);
        // A kernel stores each value in 16 bits.
        let has_kernel = solver(self.game()).has_kernel(table);
        let most = if has_kernel { u64::from(u16::MAX) } else { u64::MAX };
        let sums = level.table().largest_value().min(most) as f64;
        // The search for a counterexample adds each value to each sum.
        let values = table.largest_value().min(most).min(table.max_pile().into()) as f64;
        let values = if self.show > 0 { values } else { 0.0 };
        let each_sum = price::LOOK + values * price::RULE_LEFT;
        Ok(self.seconds_to_fill(&single, threads, &mut Vec::new()) + sums * length * each_sum)
    }

    /// Checks a statement on a level by values. `None` if the control stops the work.
    pub(crate) fn check_by_value(
        &self,
        level: &Level<'_>,
        control: &Control,
    ) -> Result<Option<QuestionTally>, AskError> {
        let (table, mut values) = (level.table(), Vec::new());
        let single = self.level_of_values(1, table.max_pile())?.control(control);
        match single.each(|block| {
            block.append_to(&mut values);
            !control.is_stopped()
        }) {
            Err(Error::Stopped) => return Ok(None),
            walked => walked?,
        }
        let length = table.length();
        level.check_memory((32 * nim_sums::count_of_sums(&values) * (length + 1)) as u64)?;
        let counts = nim_sums::counts(&values, length);
        let ready = self.ready(level, control)?;
        let mut worker = ready.worker();
        let (mut found, mut fails) = (self.no_results(level), vec![false; counts.len()]);
        for (value, &count) in (0..).zip(&counts).filter(|(_, count)| **count > 0) {
            if control.is_stopped() {
                return Ok(None);
            }
            let mut take = |column: &Column<'_>| {
                found.checked += count;
                found.premise += column.premise() * count;
                fails[value as usize] = column.holds() == 0;
                found.failures += u64::from(fails[value as usize]) * count;
            };
            let mut ask = |piles: &[_]| {
                worker.push(piles, &Memory::Nothing, value, &mut take)?;
                worker.flush(&mut take)
            };
            if let Err(undefined) = ask(&vec![1; length]) {
                // Name a position of this value.
                let at = nim_sums::least(&values, length, |sum| sum == value, || true);
                let named = at.map_or(Err(undefined), |(piles, _)| ask(&piles));
                named.map_err(AskError::Undefined)?;
            }
        }
        if found.failures > 0 && self.show > 0 {
            let is_failure = |sum: u32| fails[sum as usize];
            let least = nim_sums::least(&values, length, is_failure, || !control.is_stopped());
            let Some((piles, value)) = least else { return Ok(None) };
            found.take(&piles, &Memory::Nothing, value);
        }
        Ok(Some(found))
    }
}
