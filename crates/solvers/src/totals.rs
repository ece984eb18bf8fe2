//! Computes the values of all positions of a game by increasing number of coins.
//!
//! A table has one number of piles and a largest pile. Questions about all positions with n coins
//! need another order, in which [`Totals`] numbers the positions. [`ByTotal`] goes through it total
//! by total, and shows each position once with its cell. Threads share the positions of a total,
//! because every option has fewer coins. In games with `falls`, threads share those positions of a
//! total that are equally high in the order of this list.
//!
//! * **Rows** whose values follow from their ends have their options at shifts of their numbers.
//! * **Heaps** from which any number of coins is taken keep one set of values for each *line*: the
//!   positions that differ in one heap. A position is on one line for each of its different heaps,
//!   and on one more, which a new heap extends. So its value is the mex of a few sets, and then
//!   belongs to these sets. For outcomes a bit for each line suffices.
//! * **Other games** look up the values of their options.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_rules::law::{Kind, Law};
use grundy_rules::{Family, Game, LARGEST_LENGTH, Order, Pile, RULE_FILES, Singles, Totals};
use grundy_sweep::Control;
use grundy_sweep::cost::price;
use rayon::prelude::*;

use crate::fill::FillError;
use crate::generic::by_moves;
use crate::lines::Lines;
use crate::order::{SAMPLED_POSITIONS as SAMPLED, mean_options, ranks};

/// The cell of a number without a position, which the rules exclude.
const EXCLUDED: u8 = u8::MAX;

/// The number of positions that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The number of positions between two checks of the control.
const POSITIONS_A_LOOK: u64 = 1 << 12;

/// True if a position of the game may have this number of piles. Rules that allow the largest
/// number of piles of a table allow more piles too.
fn allows(game: Game, length: usize) -> bool {
    let length = length.min(LARGEST_LENGTH);
    game.law().is_none_or(|law| law.kind == Kind::Sum || law.lengths.contains(&length))
}

/// The positions of a game in the order of their numbers of coins.
pub struct ByTotal {
    game: Game,
    totals: Totals,
    method: Method,
}

enum Method {
    /// The cells of the smaller totals, by number.
    Cells(Vec<u8>, Options),
    Lines(Sets, Singles),
}

enum Options {
    Ends(Singles),
    /// The fast form of the moves, for each number of piles, if there is one.
    Rules(Vec<Option<Lines>>),
}

/// The values that occur on each line: whether 0 occurs, or all values below 128.
enum Sets {
    Zeros(Vec<AtomicU64>),
    Values(Vec<[AtomicU64; 2]>),
}

impl Sets {
    fn new(lines: u64, outcomes: bool) -> Sets {
        let zeros = |count: u64| (0..count).map(|_| AtomicU64::new(0));
        match outcomes {
            true => Sets::Zeros(zeros(lines.div_ceil(64)).collect()),
            false => Sets::Values(zeros(lines).map(|low| [low, AtomicU64::new(0)]).collect()),
        }
    }

    /// Returns the set of a line. No two threads meet at a line, because it has one position for
    /// each number of coins.
    fn seen(&self, line: u64) -> u128 {
        let read = |word: &AtomicU64| word.load(Ordering::Relaxed);
        match self {
            Sets::Zeros(bits) => u128::from(read(&bits[line as usize / 64]) >> (line % 64) & 1),
            Sets::Values(sets) => {
                let [low, high] = &sets[line as usize];
                u128::from(read(low)) | u128::from(read(high)) << 64
            }
        }
    }

    /// True if no further line can change the cell of a position that sees these values.
    fn is_full(&self, seen: u128) -> bool {
        matches!(self, Sets::Zeros(_)) && seen == 1
    }

    fn add(&self, line: u64, value: u32) {
        match self {
            Sets::Zeros(_) if value > 0 => {}
            // Neighbouring lines share a word.
            Sets::Zeros(bits) => {
                bits[line as usize / 64].fetch_or(1 << (line % 64), Ordering::Relaxed);
            }
            Sets::Values(sets) => {
                let word = &sets[line as usize][value as usize / 64];
                let seen = word.load(Ordering::Relaxed);
                word.store(seen | 1 << (value % 64), Ordering::Relaxed);
            }
        }
    }
}

/// Takes the positions that a thread visits.
pub trait Visitor: Sized {
    type Error: From<FillError> + Send;
    /// The result for a chunk of positions. It is small, because there are many chunks.
    type Found: Send;

    fn finish(self) -> Result<Self::Found, Self::Error>;

    /// Takes a position and its cell: a value, or the index of a class.
    fn visit(&mut self, piles: &[Pile], cell: u32) -> Result<(), Self::Error>;
}

impl ByTotal {
    /// Prepares a game. If `outcomes` is true, cells may be 1 in place of larger values.
    pub fn new(game: Game, totals: Totals, outcomes: bool) -> ByTotal {
        let method = match game.family() {
            Family::Heaps if totals.coins() < 127 => {
                let sets = Sets::new(totals.start(totals.coins() as usize), outcomes);
                Method::Lines(sets, game.single_piles(totals.coins().max(1)).into_owned())
            }
            Family::Ends => {
                let singles = game.single_piles(totals.coins().max(1)).into_owned();
                Method::Cells(Vec::new(), Options::Ends(singles))
            }
            _ => {
                let law = if RULE_FILES && game.is_impartial() { game.law() } else { None };
                let lines = |length| law.and_then(|law: &Law| Lines::new(law, length));
                let longest = match game.order() {
                    Order::Places => game.only_length().unwrap_or(0),
                    _ => totals.coins() as usize,
                };
                Method::Cells(Vec::new(), Options::Rules((0..=longest).map(lines).collect()))
            }
        };
        ByTotal { game, totals, method }
    }

    /// Returns the bytes and the approximate seconds of one thread for these positions.
    pub fn needs(game: Game, totals: &Totals, outcomes: bool) -> (u64, f64) {
        let (count, coins) = (totals.count(), totals.coins() as usize);
        match game.family() {
            Family::Heaps if coins < 127 => {
                let lines = totals.start(coins);
                let bytes = if outcomes { lines.div_ceil(8) } else { lines.saturating_mul(16) };
                (bytes, count as f64 * price::MULTISET_PILE * (coins as f64).sqrt() * 2.0)
            }
            Family::Ends => (count, count as f64 * price::ROW),
            _ => {
                // Some positions with the most coins show how many options there are.
                let last = totals.start(coins)..count;
                let some = (0..SAMPLED).map(|part| {
                    let mut piles = Vec::new();
                    totals.piles(last.start + (last.end - last.start) * part / SAMPLED, &mut piles);
                    game.position(&piles)
                });
                (count, count as f64 * mean_options(game, some) * price::OPTION)
            }
        }
    }

    /// Shows all positions with n coins, after those with fewer coins. `make` makes a visitor for
    /// each chunk; what they find is returned in order.
    pub fn visit<V: Visitor>(
        &mut self,
        n: usize,
        control: &Control,
        make: &(dyn Fn() -> V + Sync),
    ) -> Result<Vec<V::Found>, V::Error> {
        let (start, end) = (self.totals.start(n), self.totals.start(n + 1));
        let (game, totals) = (self.game, &self.totals);
        match &mut self.method {
            Method::Cells(cells, options) => {
                cells.resize(end as usize, 0);
                let is_filled = game.has_falls();
                if is_filled {
                    fill_by_falls((game, totals, options), cells, n, control)?;
                }
                let (known, new) = cells.split_at_mut(start as usize);
                let known = Known { game, totals, options, cells: known, n, is_filled };
                let chunks = new.par_chunks_mut(CHUNK).enumerate();
                let found = chunks.map(|(chunk, cells)| {
                    let mut visitor = make();
                    known.fill(start + (chunk * CHUNK) as u64, cells, control, &mut visitor)?;
                    visitor.finish()
                });
                found.collect()
            }
            Method::Lines(sets, singles) => {
                let (sets, singles) = (&*sets, &*singles);
                let firsts: Vec<usize> = (n.min(1)..=n).collect();
                let found = firsts.into_par_iter().map(|first| {
                    let mut visitor = make();
                    let mut heaps = Heaps::new(game, totals, (sets, singles), n);
                    heaps.with_largest(first, control, &mut visitor)?;
                    visitor.finish()
                });
                found.collect()
            }
        }
    }
}

/// Fills the cells of the positions with n coins in the order of the line `falls`, because a move
/// may keep the number of coins.
fn fill_by_falls(
    (game, totals, options): (Game, &Totals, &Options),
    cells: &mut [u8],
    n: usize,
    control: &Control,
) -> Result<(), FillError> {
    let numbers = totals.start(n)..totals.start(n + 1);
    let position = |number| {
        let mut piles = Vec::new();
        totals.piles(number, &mut piles);
        Some(game.position(&piles))
    };
    let ranks = ranks(game, numbers.clone(), &position, control)?;
    let rank = |number: u64| ranks[(number - numbers.start) as usize];
    let mut order: Vec<u64> = numbers.clone().collect();
    order.par_sort_unstable_by_key(|&number| (rank(number), number));
    for same in order.chunk_by(|&a, &b| rank(a) == rank(b)) {
        let known = Known { game, totals, options, cells, n, is_filled: false };
        let found = same.par_iter().map_init(Default::default, |room, &number| {
            control.check()?;
            known.cell(number, room, control)
        });
        let found = found.collect::<Result<Vec<u8>, FillError>>()?;
        same.iter().zip(found).for_each(|(&number, cell)| cells[number as usize] = cell);
    }
    Ok(())
}

/// The cells of the positions that were filled: those with fewer coins than n, and in games with
/// `falls` those with n coins that a move can reach.
struct Known<'a> {
    game: Game,
    totals: &'a Totals,
    options: &'a Options,
    cells: &'a [u8],
    n: usize,
    /// True if the positions with n coins are filled, too.
    is_filled: bool,
}

/// The piles of a position, and the cells of its options.
type Room = (Vec<Pile>, Vec<u32>);

impl Known<'_> {
    fn fill<V: Visitor>(
        &self,
        first: u64,
        cells: &mut [u8],
        control: &Control,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        let mut room = Room::default();
        for (number, cell) in (first..).zip(cells) {
            if number.is_multiple_of(POSITIONS_A_LOOK) {
                control.check().map_err(FillError::from)?;
                control.advance(POSITIONS_A_LOOK);
            }
            match self.is_filled {
                true => self.totals.piles(number, &mut room.0),
                false => *cell = self.cell(number, &mut room, control)?,
            }
            if *cell != EXCLUDED {
                visitor.visit(&room.0, (*cell).into())?;
            }
        }
        Ok(())
    }

    /// Computes a cell, or returns [`EXCLUDED`]. Leaves the piles of the position in `room`.
    fn cell(&self, number: u64, room: &mut Room, control: &Control) -> Result<u8, FillError> {
        let (piles, found) = room;
        self.totals.piles(number, piles);
        let value = match self.options {
            Options::Ends(singles) if self.n > 0 => Some(self.by_ends(number, piles, singles)),
            Options::Ends(_) => Some(self.game.value_of(&[])),
            Options::Rules(lines) => {
                let lines = lines.get(piles.len()).and_then(Option::as_ref);
                self.by_rules(lines, piles, found, control)?
            }
        };
        let Some(value) = value else { return Ok(EXCLUDED) };
        let cell = u8::try_from(value).ok().filter(|&cell| cell != EXCLUDED);
        cell.ok_or_else(|| FillError::TooWide {
            game: self.game,
            position: self.game.position(piles).to_string(),
            value,
        })
    }

    /// Computes the value of a row from its number. In binary, the number begins with a one for
    /// the first coin; each other coin has a one if it is in the same pile as the coin before.
    fn by_ends(&self, number: u64, piles: &[Pile], singles: &Singles) -> u32 {
        let (first, last) = match *piles {
            [pile] => return singles.value(pile),
            [first, .., last] => (first, last),
            [] => return 0,
        };
        let right = (1..=last).map(|taken| number >> taken);
        let left = (1..=first).map(|taken| {
            let top = 1u64 << (self.n as u32 - taken - 1);
            top | number & (top - 1)
        });
        // A row has at most 40 coins, and its value is at most the number of its coins.
        let value = |option: u64| 1u64 << self.cells[option as usize];
        right.chain(left).fold(0u64, |seen, option| seen | value(option)).trailing_ones()
    }

    /// Computes the cell of a position from its moves; `None` if the rules exclude the position.
    fn by_rules(
        &self,
        lines: Option<&Lines>,
        piles: &[Pile],
        found: &mut Vec<u32>,
        control: &Control,
    ) -> Result<Option<u32>, FillError> {
        let position = self.game.position(piles);
        let exists = match piles {
            [] => self.game.has_empty_position(),
            _ if !allows(self.game, piles.len()) => false,
            _ => self.game.admits(&position)?,
        };
        if !exists {
            return Ok(None);
        }
        let cell = |option: &[Pile]| {
            let cell = self.cells.get(self.totals.number(option) as usize).copied();
            cell.filter(|&cell| cell != EXCLUDED).map(u32::from)
        };
        found.clear();
        // In irregular cases the rules list the moves, and report the error.
        let quick = lines.filter(|_| !piles.is_empty()).and_then(|lines| {
            lines.options(piles, |option| {
                found.push(cell(option)?);
                Some(())
            })
        });
        if quick.is_some() {
            return Ok(Some(self.game.value_of(found)));
        }
        by_moves(self.game, &position, found, control, |option| cell(option.piles())).map(Some)
    }
}

/// A walk over the multisets of n coins by their largest heaps, in the order of their numbers.
///
/// Each step adds a heap of at least two coins, and shows the multiset whose other heaps have one
/// coin. The number of a multiset is a sum over its heaps. So the number after removing a heap q
/// differs from it only by the terms of the larger heaps and of q itself, which are known when q
/// is added.
struct Heaps<'a> {
    game: Game,
    totals: &'a Totals,
    sets: &'a Sets,
    singles: &'a Singles,
    n: usize,
    /// The heaps so far, each with the coins that remained before it.
    heaps: Vec<(usize, usize)>,
    /// For each different heap, what to add to the number of a multiset to get its line.
    lines: Vec<(usize, i64)>,
    /// The piles in ascending order, at the end.
    piles: Vec<Pile>,
    shown: u64,
}

impl<'a> Heaps<'a> {
    fn new(
        game: Game,
        totals: &'a Totals,
        (sets, singles): (&'a Sets, &'a Singles),
        n: usize,
    ) -> Heaps<'a> {
        let (heaps, lines, piles) = (Vec::new(), Vec::new(), vec![1; n]);
        Heaps { game, totals, sets, singles, n, heaps, lines, piles, shown: 0 }
    }

    fn term(&self, rest: usize, heap: usize) -> i64 {
        self.totals.partitions(rest, heap - 1) as i64
    }

    /// Returns how the terms of the heaps so far change if a later heap of this size is removed.
    fn change(&self, heap: usize) -> i64 {
        let terms = self.heaps.iter();
        terms.map(|&(q, rest)| self.term(rest - heap, q) - self.term(rest, q)).sum()
    }

    /// Shows the multisets with this largest heap.
    fn with_largest<V: Visitor>(
        &mut self,
        first: usize,
        control: &Control,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        let start = self.totals.start(self.n) as i64;
        match first {
            0 | 1 => self.show(self.n, start, control, visitor),
            _ => self.add(first, self.n, start, control, visitor),
        }
    }

    /// Adds a heap of `heap` of the `rest` coins, and shows all multisets that begin like this.
    fn add<V: Visitor>(
        &mut self,
        heap: usize,
        rest: usize,
        number: i64,
        control: &Control,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        let (term, left) = (self.term(rest, heap), rest - heap);
        let is_new = self.heaps.last().is_none_or(|&(last, _)| last != heap);
        if is_new {
            let totals = [self.n - heap, self.n].map(|n| self.totals.start(n) as i64);
            self.lines.push((heap, self.change(heap) - term + totals[0] - totals[1]));
        }
        self.heaps.push((heap, rest));
        let at = self.n - self.heaps.len();
        self.piles[at] = heap as Pile;
        self.show(left, number + term, control, visitor)?;
        for next in 2..=heap.min(left) {
            self.add(next, left, number + term, control, visitor)?;
        }
        self.piles[at] = 1;
        self.heaps.pop();
        if is_new {
            self.lines.pop();
        }
        Ok(())
    }

    /// Shows the multiset of the heaps so far and `ones` heaps of one coin.
    fn show<V: Visitor>(
        &mut self,
        ones: usize,
        number: i64,
        control: &Control,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        self.shown += 1;
        if self.shown.is_multiple_of(POSITIONS_A_LOOK) {
            control.check().map_err(FillError::from)?;
            control.advance(POSITIONS_A_LOOK);
        }
        let end = self.n - self.heaps.len();
        let piles = &self.piles[end - ones..];
        let line = |&(_, change): &(usize, i64)| (number + change) as u64;
        let (mut seen, mut has_ones) = (0, false);
        let value = match piles {
            [] => self.game.value_of(&[]),
            [pile] => self.singles.value(*pile),
            _ => {
                let mut is_decided = self.lines.iter().any(|at| {
                    seen |= self.sets.seen(line(at));
                    self.sets.is_full(seen)
                });
                has_ones = ones > 0 && !is_decided;
                if has_ones {
                    let totals = [self.n - 1, self.n].map(|n| self.totals.start(n) as i64);
                    let ones = (1, self.change(1) + totals[0] - totals[1]);
                    seen |= self.sets.seen(line(&ones));
                    self.lines.push(ones);
                    is_decided = self.sets.is_full(seen);
                }
                let value = seen.trailing_ones();
                if !is_decided {
                    self.lines.iter().for_each(|at| self.sets.add(line(at), value));
                }
                value
            }
        };
        // A new heap leads to positions with more coins, if there are any.
        if !piles.is_empty() && self.n < self.totals.coins() as usize {
            self.sets.add(number as u64, value);
        }
        if has_ones {
            self.lines.pop();
        }
        visitor.visit(&self.piles[end - ones..], value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::law::RuleFile;
    use grundy_rules::reference::ByRules;
    use grundy_rules::{games, misere_form};

    /// The positions of a chunk, with their cells.
    struct Seen(Vec<(Vec<Pile>, u32)>);

    impl Visitor for Seen {
        type Error = FillError;
        type Found = Vec<(Vec<Pile>, u32)>;

        fn finish(self) -> Result<Self::Found, FillError> {
            Ok(self.0)
        }

        fn visit(&mut self, piles: &[Pile], cell: u32) -> Result<(), FillError> {
            self.0.push((piles.to_vec(), cell));
            Ok(())
        }
    }

    fn seen(game: Game, totals: &Totals, outcomes: bool) -> Vec<(Vec<Pile>, u32)> {
        let mut by_total = ByTotal::new(game, totals.clone(), outcomes);
        let visit = |n| by_total.visit(n, &Control::new(), &|| Seen(Vec::new())).unwrap();
        (0..=totals.coins() as usize).flat_map(visit).flatten().collect()
    }

    #[test]
    fn values_are_those_of_the_rules() {
        let own = |rules: &str| {
            let text = format!("name: a\ntitle: A\nsource: b\n{rules}\n");
            RuleFile::from_text(&text).unwrap().game().unwrap()
        };
        let places = "piles: places\nlength: 3\nmove: i in 1..k, t in 1..piles[i]: piles[i] -= t";
        let some = "piles: heaps\nlength: 1..4\nmove: i in 1..k, t in 1..piles[i] if t != k: \
                    piles[i] -= t";
        let unequal = "piles: row\nwhere: all(i in 2..k: piles[i] != piles[i - 1])\n\
                       move: t in 1..first if k == 1 or first - t > p2: first -= t";
        let more = [own(places), own(some), own(unequal)];
        let all = games::END_NIM_GAMES.into_iter().chain([
            games::NIM,
            games::MISERE_NIM,
            games::PARTIZAN_END_NIM,
            "wythoff".parse().unwrap(),
            "moore-nim-2".parse().unwrap(),
            "staircase-nim".parse().unwrap(),
            "amalgamation-nim".parse().unwrap(),
            "misere-kayles".parse().unwrap(),
        ]);
        let misere =
            [games::NIM, games::END_NIM].into_iter().filter_map(|game| misere_form(game).ok());
        for game in all.chain(misere).chain(more) {
            let totals = Totals::new(game, 3, 9).unwrap();
            let mut rules = ByRules::new(game);
            let found = seen(game, &totals, false);
            // Wythoff's game has at most two piles: 20 pairs, 9 single piles, and no pile.
            let least = if game.id().starts_with("wythoff-") { 30 } else { 61 };
            assert!(found.len() >= least, "{game}: {}", found.len());
            for (piles, cell) in found.iter().filter(|(piles, _)| !piles.is_empty()) {
                let by_rules = rules.cell_while(&game.position(piles), &mut || true).unwrap();
                assert_eq!(Some(*cell), by_rules, "{game} {piles:?}");
            }
            let outcomes = seen(game, &totals, true);
            assert_eq!(outcomes.len(), found.len());
            let is_p = |(piles, cell): &(Vec<Pile>, u32)| (piles.clone(), *cell == 0);
            assert!(found.iter().map(is_p).eq(outcomes.iter().map(is_p)), "{game}");
            // The lines of heaps are at the right numbers. Only the empty position may be missing.
            let missing = totals.count() - found.len() as u64;
            for (number, (piles, _)) in (missing..).zip(&found).filter(|_| missing < 2) {
                assert_eq!(totals.number(piles), number, "{game} {piles:?}");
            }
        }
    }
}
