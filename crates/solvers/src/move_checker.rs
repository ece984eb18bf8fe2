//! Derives the cells of any table of values again, from the stored cells of the options.
//!
//! The rules list the moves of each position. There are two faster ways for tables that a kernel
//! has filled; neither shares code with the kernels. [`Lines`] finds the options without building
//! positions. If the moves of a row depend only on its two ends, the options of a tile are listed
//! once for all tiles ([`EndOptions`]).
//!
//! In a table of outcomes, all moves of each P-position are tried, but few positions are P. An
//! N-position needs one move to a P-position. [`Lines`] finds it backwards, from the P-position,
//! and tests it forwards ([`Marks`]). So a move that is not found costs only time: then the moves
//! of the N-position are tried too.

use std::collections::HashSet;
use std::mem::take;

use grundy_rules::reference::ByRules;
use grundy_rules::{Numbering, Outcome, Pile, Player, Position, RULE_FILES, Table};

use crate::answer::Reply;
use crate::check::{Checker, Checking, Derived, TileRun, derived};
use crate::ends::checker::read_row;
use crate::lines::Lines;
use crate::solver::is_sum;
use crate::tables::Stored;

pub(crate) struct MoveChecker<'a> {
    of: Checking<'a>,
    /// Derives options that no table contains.
    rules: Option<ByRules>,
    lines: Option<Lines>,
    ends: Option<EndOptions>,
    marks: Option<Marks>,
    /// The cells of a tile, and behind them the cells of its borders.
    around: Vec<u32>,
    /// The cells of the options of a position.
    found: Vec<u32>,
}

impl MoveChecker<'_> {
    /// Returns a checker that uses the faster ways, or only the rules.
    pub(crate) fn new(of: Checking<'_>, is_fast: bool) -> MoveChecker<'_> {
        let table = of.stored.table();
        let game = table.game();
        let is_plain = game.is_impartial() && !game.excludes() && game.remoteness_of().is_none();
        let law = if RULE_FILES && is_fast && is_plain { game.law() } else { None };
        let lines = law.and_then(|law| Lines::new(law, table.length()));
        let ends = lines.as_ref().and_then(|lines| EndOptions::new(lines, table));
        let marked = lines.as_ref().filter(|_| ends.is_none() && game.outcomes_of().is_some());
        let marks = marked.and_then(|lines| Marks::within(of, lines));
        let (around, found) = (Vec::new(), Vec::new());
        MoveChecker { of, rules: None, lines, ends, marks, around, found }
    }

    /// Marks the positions with a move to a position before the run, or to one with fewer piles.
    fn mark_before(&mut self, run: TileRun<'_>) -> Reply<()> {
        let stored = self.of.stored;
        let table = stored.table();
        let (game, length) = (table.game(), table.length());
        let Some(from) = self.marks.as_ref().map(|marks| marks.until) else { return Ok(()) };
        if from == 0 && table.least_pile() > 0 {
            let empty = game.position(&[]);
            if self.option(&empty)? == 0 {
                self.mark_sources(&empty);
            }
            let wanted = |found: &dyn Stored| found.table().max_pile() >= table.max_pile();
            for shorter in 1..length {
                if let Some(found) = self.of.tables.find(game, shorter, &wanted) {
                    self.mark_from(found, 0, found.table().cells())?;
                }
            }
        }
        let until = self.mark_from(stored, from, run.first * table.tile_cells() as u64)?;
        if let Some(marks) = &mut self.marks {
            marks.until = until;
        }
        Ok(())
    }

    /// Marks the positions with a move to a P-position among these cells. Ends at the first cell
    /// that cannot be read, and returns its number.
    fn mark_from(&mut self, stored: &dyn Stored, mut from: u64, until: u64) -> Reply<u64> {
        let mut cells = Vec::new();
        while from < until {
            let count = (until - from).min(CELLS_TOGETHER);
            if stored.cells(from, 1, count as usize, &mut cells).is_err() {
                break;
            }
            for (number, _) in (from..).zip(&cells).filter(|(_, cell)| **cell == 0) {
                let Some(position) = stored.table().position(number) else { continue };
                self.of.stop_at(&position)?;
                self.mark_sources(&position);
            }
            from += count;
        }
        Ok(from)
    }

    /// Marks the positions with a move to this P-position.
    fn mark_sources(&mut self, option: &Position) {
        let MoveChecker { of, lines: Some(lines), marks: Some(marks), .. } = self else { return };
        let table = of.stored.table();
        let number = |piles: &[Pile]| table.locate_piles(piles).map(|place| table.number_of(place));
        if let Some(number) = number(option.piles()) {
            set(&mut marks.lost, number);
        }
        let mut show = |piles: &[Pile], has_move: &mut dyn FnMut() -> bool| {
            if let Some(number) = number(piles)
                && !is_set(&marks.won, number)
                && has_move()
            {
                set(&mut marks.won, number);
            }
        };
        lines.sources(option.piles(), table.length(), table.max_pile(), &mut show);
        let reversed: Vec<Pile> = option.piles().iter().rev().copied().collect();
        if table.locate_piles(&reversed).is_some_and(|place| place.reversed) {
            lines.sources(&reversed, table.length(), table.max_pile(), &mut show);
        }
    }

    /// Returns the stored cell of an option, from the checked table or another table.
    fn option(&mut self, option: &Position) -> Reply<u32> {
        let game = self.of.stored.table().game();
        if is_sum(game) && option.length() != 1 {
            let mut piles = option.piles().iter();
            return piles.try_fold(0, |sum, &pile| Ok(sum ^ self.option(&game.position(&[pile]))?));
        }
        if self.of.stored.table().has_length(option.length())
            && let Some(cell) = self.of.stored.cell_of(option)?
        {
            return Ok(cell);
        }
        let holds = |found: &dyn Stored| found.table().holds(option.piles());
        if let Some(found) = self.of.tables.find(game, option.length(), &holds)
            && let Some(cell) = found.cell_of(option)?
        {
            return Ok(cell);
        }
        Ok(self.rules.get_or_insert_with(|| ByRules::new(game)).cell(option))
    }

    /// Does the same as [`MoveChecker::option`], but finds most options in the cells of the run.
    fn option_of(&mut self, piles: &[Pile], run: TileRun<'_>) -> Reply<u32> {
        let stored = self.of.stored;
        let table = stored.table();
        match table.locate_piles(piles).filter(|_| piles.len() == table.length()) {
            Some(place) => {
                let number = table.number_of(place);
                let within = number.wrapping_sub(run.first * table.tile_cells() as u64) as usize;
                Ok(match (run.cells.get(within), &self.marks) {
                    (Some(&cell), _) => cell,
                    (None, Some(marks)) if number < marks.until => {
                        (!is_set(&marks.lost, number)).into()
                    }
                    (None, _) => stored.cell(number)?,
                })
            }
            None => self.option(&table.game().position(piles)),
        }
    }

    /// Finds the cells of the options by the lines of the law. In a table of outcomes, ends at the
    /// first option that the previous player wins. Returns false if the rules must list the moves.
    fn find_by_lines(&mut self, position: &Position, run: TileRun<'_>) -> Reply<bool> {
        let Some(lines) = self.lines.take() else { return Ok(false) };
        let is_outcome = self.of.stored.table().game().outcomes_of().is_some();
        let (mut found, mut failed, mut is_settled) = (take(&mut self.found), None, false);
        found.clear();
        let listed = lines.options(position.piles(), |piles| match self.option_of(piles, run) {
            Ok(cell) => {
                found.push(cell);
                is_settled = is_outcome && cell == 0;
                (!is_settled).then_some(())
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        (self.found, self.lines) = (found, Some(lines));
        failed.map_or(Ok(listed.is_some() || is_settled), Err)
    }

    /// True if a position's cell agrees with its options.
    fn is_right(&mut self, position: &Position, cell: u32, run: TileRun<'_>) -> Reply<bool> {
        let game = self.of.stored.table().game();
        if self.find_by_lines(position, run)? {
            return Ok(agrees(self.of.stored.table(), cell, &self.found));
        }
        let moves = game.try_moves(position)?;
        if !game.is_impartial() {
            let (mut left, mut right) = (HashSet::new(), HashSet::new());
            for made in &moves {
                let option = self.option(&made.option)?;
                let wins = |other, classes: [u32; 2]| {
                    (made.player != other && classes.contains(&option)).then_some(&made.option)
                };
                left.extend(wins(Player::Right, [0, 3]));
                right.extend(wins(Player::Left, [1, 3]));
            }
            let [left, right] = [left, right].map(|options| options.len() > game.blocks());
            return Ok(cell == Outcome::of_first_moves(left, right) as u32);
        }
        let options = moves.iter().map(|made| self.option(&made.option));
        let options = options.collect::<Reply<Vec<_>>>()?;
        Ok(agrees(self.of.stored.table(), cell, &options))
    }

    /// Reads the borders of a tile. Returns false if the tile must be checked position by position.
    fn read_around(&mut self, tile: u64, values: &[u32]) -> Reply<bool> {
        let table = self.of.stored.table();
        let (game, n) = (table.game(), table.max_pile());
        let is_wanted = |found: &dyn Stored| {
            found.table().max_pile() >= n && found.table().numbering() == Numbering::Middles
        };
        let shorter = || self.of.tables.find(game, table.length() - 1, &is_wanted);
        let Some(shorter) = self.ends.as_ref().and_then(|_| shorter()) else { return Ok(false) };
        let (mut middle, mut row) = (Vec::new(), Vec::new());
        table.tile_word(tile, &mut middle);
        self.around.clear();
        self.around.extend_from_slice(values);
        read_row(shorter, &middle, n, &mut row)?;
        self.around.extend_from_slice(&row);
        middle.reverse();
        read_row(shorter, &middle, n, &mut row)?;
        self.around.extend_from_slice(&row);
        let alone = self.option(&game.position(&middle))?;
        self.around.push(alone);
        Ok(true)
    }

    /// Returns the first wrong cell of the tile whose borders were read.
    fn first_wrong(&mut self) -> Option<usize> {
        let MoveChecker { of, ends, around, found, .. } = self;
        let ends = ends.as_ref()?;
        let mut from = 0;
        ends.until.iter().zip(&*around).position(|(&until, &cell)| {
            found.clear();
            found.extend(ends.options[from..until].iter().map(|&at| around[at as usize]));
            from = until;
            !agrees(of.stored.table(), cell, found)
        })
    }
}

/// True if the cell of a position follows from the cells of its options.
fn agrees(table: &Table, cell: u32, options: &[u32]) -> bool {
    let game = table.game();
    if options.is_empty() {
        return cell == game.terminal_value();
    }
    if game.outcomes_of().is_some() {
        return cell == u32::from(options.contains(&0));
    }
    // No option may have this value, but every smaller value must occur among the options.
    if cell as usize > options.len() {
        return false;
    }
    let mut smaller = vec![false; cell as usize];
    for &option in options {
        match smaller.get_mut(option as usize) {
            Some(seen) => *seen = true,
            None if option == cell => return false,
            None => {}
        }
    }
    smaller.into_iter().all(|seen| seen)
}

impl Checker for MoveChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let table = self.of.stored.table();
        let cells = table.tile_cells();
        self.mark_before(run)?;
        for (at, values) in run.cells.chunks(cells).enumerate() {
            let wrong = match self.read_around(run.first + at as u64, values)? {
                true => self.first_wrong(),
                false => {
                    let first = (run.first + at as u64) * cells as u64;
                    let mut wrong = None;
                    for (number, &cell) in (first..).zip(values) {
                        if cell == 1
                            && self.marks.as_ref().is_some_and(|marks| is_set(&marks.won, number))
                        {
                            continue;
                        }
                        let Some(position) = table.position(number) else { continue };
                        self.of.stop_at(&position)?;
                        if !self.is_right(&position, cell, run)? {
                            wrong = Some((number - first) as usize);
                            break;
                        }
                        if cell == 0 {
                            self.mark_sources(&position);
                        }
                    }
                    wrong
                }
            };
            if let Some(wrong) = wrong {
                return Ok(derived(table, run, Some(at * cells + wrong)));
            }
        }
        let first = run.first * cells as u64;
        if let Some(marks) = self.marks.as_mut().filter(|marks| marks.until == first) {
            marks.until = first + run.cells.len() as u64;
        }
        Ok(derived(table, run, None))
    }
}

/// Facts about the cells of a table of outcomes, with a bit for each cell.
struct Marks {
    /// The N-positions for which a move to a P-position was found. Others may have such moves too.
    won: Vec<u64>,
    /// The P-positions among the cells before `until`.
    lost: Vec<u64>,
    /// The moves to the P-positions among the cells before this number were looked for.
    until: u64,
}

/// If the largest position of a table has at most so many options, trying them is faster.
const FEW_OPTIONS: usize = 12;

/// The number of cells that are read together.
const CELLS_TOGETHER: u64 = 1 << 16;

impl Marks {
    /// Returns no marks, if they do not fit into the memory, or if all moves are soon tried.
    fn within(of: Checking<'_>, lines: &Lines) -> Option<Marks> {
        let table = of.stored.table();
        let mut options = 0;
        _ = lines.options(&vec![table.max_pile(); table.length()], |_| {
            options += 1;
            (options <= FEW_OPTIONS).then_some(())
        });
        let words = table.cells().div_ceil(64);
        let fits = options > FEW_OPTIONS && words <= of.memory.bytes() / 16;
        let none = || vec![0; words as usize];
        fits.then(|| Marks { won: none(), lost: none(), until: 0 })
    }
}

fn set(bits: &mut [u64], number: u64) {
    bits[(number / 64) as usize] |= 1 << (number % 64);
}

fn is_set(bits: &[u64], number: u64) -> bool {
    bits[(number / 64) as usize] >> (number % 64) & 1 == 1
}

/// The options of every position of a tile (a, w, b), if they do not depend on the middle w. An
/// option is an index of a cell of the tile, or behind these, of the rows (w, b) and (a, w) for
/// a, b = 1, 2, ..., or of w alone.
struct EndOptions {
    options: Vec<u32>,
    /// For each cell, the end of its options. They begin at the end of the options before.
    until: Vec<usize>,
}

/// The maximum number of options in a list for a tile (16 MiB).
const MOST_OPTIONS: usize = 1 << 22;

impl EndOptions {
    fn new(lines: &Lines, table: &Table) -> Option<EndOptions> {
        let (n, length) = (table.max_pile(), table.length());
        if table.numbering() != Numbering::Middles || length < 2 {
            return None;
        }
        // No move makes so large a pile, so this pile shows which ends of an option are left.
        const MARK: Pile = Pile::MAX;
        let (mut options, mut until) = (Vec::new(), Vec::new());
        let mut piles = vec![MARK; length];
        for (a, b) in (1..=n).flat_map(|a| (1..=n).map(move |b| (a, b))) {
            (piles[0], piles[length - 1]) = (a, b);
            lines.options_of_ends(&piles, |option| {
                let end = |pile| if pile == MARK { 0 } else { pile };
                let (left, right) = match *option {
                    [first, .., last] => (end(first), end(last)),
                    // A single pile may be the rest of either end.
                    [pile] => (0, end(pile)),
                    [] => (0, 0),
                };
                // The rules report moves that enlarge a pile.
                let is_lower = length == 2 || left <= a && right <= b;
                let side = (is_lower && options.len() < MOST_OPTIONS).then_some(n)?;
                options.push(match (left, right) {
                    (0, 0) => side * side + 2 * side,
                    (0, right) => side * side + right - 1,
                    (left, 0) => side * side + side + left - 1,
                    (left, right) => (left - 1) * side + right - 1,
                });
                Some(())
            })?;
            until.push(options.len());
        }
        Some(EndOptions { options, until })
    }
}
