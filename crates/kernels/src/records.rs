//! Computes short global nim with one pile, row after row, each in nearly constant time.
//!
//! Row n contains *(n, k), the value of a pile of n after k coins were taken, for k = 0, 1, ..., n.
//! The options of the pile are the piles m = n - k with last move k, for m = 0, ..., n - 1. The mex
//! of all options is *(n, 0), called g(n). Forbidding k removes the option m = n - k. This lowers
//! the value iff that option has a value below g(n) that no other option has. Then
//!
//! ```text
//! *(n, k) = *(m, k) < g(n)        (k is *exceptional* in row n; Corollary 10 of the 2008 paper)
//! ```
//!
//! and otherwise *(n, k) = g(n). Few k are exceptional, about 17 at n = 10^6. So nearly every
//! option m of row n has the value g(m). A k that is exceptional in row m changes one option, in
//! row m + k:
//!
//! ```text
//! options of row n, by m:   g(0) g(1) g(2) ... g(m) ... g(n-1)
//!                                               │
//!                           corrected here to *(m, k) if k = n - m is exceptional in row m
//! ```
//!
//! So [`Records`] stores, for each value v, the number of m < n with g(m) = v, and the sum of these
//! m. (If there is only one m, the sum is m.) It also keeps a *calendar* with the corrections that
//! later rows need. The steps of a row:
//!
//! 1. Apply the corrections of the row, about 14 at n = 10^6.
//! 2. Find g(n). It is the least value that no m < n has, or a smaller value that the corrections
//!    removed.
//! 3. Find the exceptions of the row, which are the values below g(n) that occur once. Then undo
//!    the corrections.
//! 4. Count g(n), and enter the exceptions of the row in the calendar.
//!
//! A list contains the ten or twenty values that occur once without corrections. The calendar omits
//! corrections for rows beyond the last requested row.

mod calendar;

use calendar::{Calendar, Correction};

#[derive(Clone, Debug)]
pub struct Records {
    last: u32,
    next: u32,
    /// For each v: the number of m < `next` with g(m) = v, and the sum of these m modulo 2^32.
    values: Vec<Occurrences>,
    /// The least value v that differs from g(m) for every m < `next`.
    least_missing: u32,
    /// The values v with g(m) = v for only one m < `next`, in ascending order.
    single: Vec<u32>,
    calendar: Calendar,
    /// The corrections of the last computed row.
    corrections: Vec<Correction>,
    /// The exceptions of the last computed row: m and *(m, k) for each exceptional k = n - m.
    exceptions: Vec<Exception>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Occurrences {
    count: u32,
    sum: u32,
}

/// An exceptional last move of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The pile m that remains after taking k = n - m coins.
    pub remaining: u32,
    /// *(n, k), which equals *(m, k).
    pub value: u32,
}

/// A row: g(n) and the exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The pile n.
    pub pile: u32,
    /// g(n) = *(n, 0).
    pub value: u32,
    /// The exceptional last moves, by increasing m = n - k.
    pub exceptions: &'a [Exception],
}

impl Records {
    /// Prepares a run to the row `last`, but computes only the row of the empty pile.
    ///
    /// # Panics
    /// If `last` is 2^32 - 1.
    pub fn new(last: u32) -> Records {
        assert!(last < u32::MAX);
        Records {
            last,
            next: 1,
            values: vec![Occurrences { count: 1, sum: 0 }, Occurrences::default()],
            least_missing: 1,
            single: vec![0],
            calendar: Calendar::new(last),
            corrections: Vec::new(),
            exceptions: Vec::new(),
        }
    }

    /// Estimates the bytes of a run to `last`. They contain the counts of values, and the
    /// corrections still to be applied (measurements show at most 1.1 corrections for each row).
    pub fn bytes(last: u32) -> u64 {
        let rows = u64::from(last);
        20 * rows + 8 * (rows / 2 + 2) + (1 << 20)
    }

    /// Computes the next row.
    ///
    /// # Panics
    /// If all rows up to `last` have been computed.
    pub fn next_row(&mut self) -> Row<'_> {
        let n = self.next;
        assert!(n <= self.last, "row {n} is beyond the last one");
        let mut corrections = std::mem::take(&mut self.corrections);
        self.calendar.take(n, &mut corrections);
        self.correct(&corrections, 1);
        let value = self.mex(&corrections);
        self.find_exceptions(&corrections, value);
        self.correct(&corrections, -1);
        self.corrections = corrections;
        self.count(n, value);
        self.file(n, value);
        self.next = n + 1;
        Row { pile: n, value, exceptions: &self.exceptions }
    }

    fn correct(&mut self, corrections: &[Correction], sign: i32) {
        for &Correction { from, was, now, .. } in corrections {
            let signed = from.wrapping_mul(sign as u32);
            let was = &mut self.values[was as usize];
            was.count = was.count.wrapping_sub(sign as u32);
            was.sum = was.sum.wrapping_sub(signed);
            let now = &mut self.values[now as usize];
            now.count = now.count.wrapping_add(sign as u32);
            now.sum = now.sum.wrapping_add(signed);
        }
    }

    /// Returns the least value that no option has, after the corrections. A correction replaces a
    /// value by a smaller value of an earlier row. So `least_missing` stays missing, but a
    /// correction may remove the only occurrence of a smaller value.
    fn mex(&self, corrections: &[Correction]) -> u32 {
        let gone =
            corrections.iter().map(|c| c.was).filter(|&v| self.values[v as usize].count == 0);
        gone.fold(self.least_missing, u32::min)
    }

    /// Finds the values below `value` that occur once, after the corrections.
    fn find_exceptions(&mut self, corrections: &[Correction], value: u32) {
        self.exceptions.clear();
        let values = &self.values;
        let single = |&v: &u32| (values[v as usize].count == 1).then(|| values[v as usize].sum);
        for v in self.single.iter().take_while(|&&v| v < value) {
            self.exceptions.extend(single(v).map(|remaining| Exception { remaining, value: *v }));
        }
        // Add the values that occur once only because of the corrections.
        let base = self.exceptions.len();
        for v in corrections.iter().flat_map(|c| [c.was, c.now]).filter(|&v| v < value) {
            if let Some(remaining) = single(&v) {
                self.exceptions.push(Exception { remaining, value: v });
            }
        }
        if self.exceptions.len() > base {
            self.exceptions.sort_unstable_by_key(|exception| exception.value);
            self.exceptions.dedup();
        }
        self.exceptions.sort_unstable_by_key(|exception| exception.remaining);
    }

    fn count(&mut self, n: u32, value: u32) {
        let here = &mut self.values[value as usize];
        here.count += 1;
        here.sum = here.sum.wrapping_add(n);
        match (here.count, self.single.binary_search(&value)) {
            (1, Err(place)) => self.single.insert(place, value),
            (2, Ok(place)) => {
                self.single.remove(place);
            }
            _ => {}
        }
        while self.values[self.least_missing as usize].count > 0 {
            self.least_missing += 1;
            if self.least_missing as usize == self.values.len() {
                self.values.push(Occurrences::default());
            }
        }
    }

    /// Enters the exceptions of row n in the calendar, as corrections of later rows.
    fn file(&mut self, n: u32, value: u32) {
        for exception in &self.exceptions {
            // Taking k = n - m coins from a pile of n + k leads to this row.
            let row = u64::from(n) + u64::from(n - exception.remaining);
            if row > u64::from(self.last) {
                continue;
            }
            let row = row as u32;
            self.calendar.file(Correction { row, from: n, was: value, now: exception.value });
        }
    }
}

/// Computes *(n, k) from stored rows. `row` receives n and k. It returns g(n), and true iff k is
/// exceptional in row n. If k is exceptional, *(n, k) equals *(n - k, k), which is computed next.
pub fn value<E>(
    n: u32,
    k: u32,
    mut row: impl FnMut(u32, u32) -> Result<(u32, bool), E>,
) -> Result<u32, E> {
    let mut pile = n;
    loop {
        if pile == 0 {
            return Ok(0);
        }
        let (value, is_exception) = row(pile, k)?;
        if k == 0 || k > pile || !is_exception {
            return Ok(value);
        }
        pile -= k;
    }
}
