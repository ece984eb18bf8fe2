//! The numbers that positions have in their tables.
//!
//! - The position that is found for a number n has the number n, in tables of every size and game.
//! - The number of a position follows docs/FORMAT.md; this module uses no other source. In a game
//!   that stores a row or its reversal, but not both, the two have the same number.
//! - In a small table every number is the number of some position. The target tries all positions.
//! - The numbers of tiles, cells and positions agree with docs/FORMAT.md.
//! - A size is invalid if and only if the largest pile or the length is 0 or above its documented
//!   limit, or there are more than 2^63 cells.
//!
//! This module names no game, because properties of the game determine the numbering (`Kind`).

use arbitrary::Unstructured;
use grundy_rules::index::LARGEST_RECORD;
use grundy_rules::{
    Form, Game, LARGEST_LENGTH, LARGEST_MAX_PILE, Memory, MoveSet, Order, Pile, Position,
    Remembers, Size, Table,
};

/// Panics if one of the properties above fails for the sizes and positions that these bytes choose.
pub fn run(data: &[u8]) {
    // This call cannot fail, because every choice has candidates.
    let _ = try_run(&mut Unstructured::new(data));
}

/// Returns inputs for special sizes: one pile, seed rows, values of one and two bytes, and tables
/// that are too large.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![Vec::new(), vec![0xFF; 40]];
    for size in 0..SIZES.len() as u8 {
        for length in [1, 2, 3, 5, 8, 12, 60] {
            for game in 0..Game::all().count() as u8 {
                seeds.push(vec![game, size, length, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8]);
            }
        }
    }
    seeds
}

/// The ranges from which the input chooses the largest pile.
const SIZES: [(Pile, Pile); 8] =
    [(1, 1), (2, 5), (1, 16), (28, 40), (60, 70), (120, 130), (4_090, 4_100), (0, Pile::MAX)];

/// The maximum number of values of a table for which the target tries all positions.
const SMALL: u128 = 2_000;

/// The numberings. Quotation marks contain titles of sections of docs/FORMAT.md.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Rows that have the same value as their reversal: "an End-Nim table".
    Middles,
    /// Other rows: "a table of partizan End-Nim".
    Words,
    /// Piles in any order: "a table of Nim".
    Multisets,
    /// Positions with a last move: "two or more piles", "one pile", "g(n) alone".
    LastMoves,
    Records,
    Values,
    /// Positions with a set of moves: "one pile", "two or more piles".
    Sets,
    SetRows,
}

impl Kind {
    fn of(game: Game, length: usize, form: Form) -> Kind {
        match (game.order(), game.remembers(), length, form) {
            (Order::Row, ..) if game.is_symmetric() => Kind::Middles,
            (Order::Row | Order::Places, ..) => Kind::Words,
            (Order::Any, Remembers::Nothing, ..) => Kind::Multisets,
            (Order::Any, Remembers::Numbers, 1, Form::ValuesOnly) => Kind::Values,
            (Order::Any, Remembers::Numbers, 1, Form::Whole) => Kind::Records,
            (Order::Any, Remembers::Numbers, ..) => Kind::LastMoves,
            (Order::Any, Remembers::Moves, 1, _) => Kind::Sets,
            (Order::Any, Remembers::Moves, ..) => Kind::SetRows,
        }
    }

    /// True if a table of `k` piles of at most `n` coins is possible.
    fn is_possible(self, n: Pile, k: usize) -> bool {
        let within = |largest: Pile, longest: usize| {
            (1..=largest).contains(&n) && (1..=longest).contains(&k)
        };
        let limits = match self {
            Kind::Records | Kind::Values => within(LARGEST_RECORD, 1),
            Kind::Sets => within(35, 1),
            Kind::SetRows => within(31, 31),
            _ => within(LARGEST_MAX_PILE, LARGEST_LENGTH),
        };
        limits && self.countable(n, k) <= 1 << 63
    }

    /// Returns the number of words or of cells, which must not exceed 2^63.
    fn countable(self, n: Pile, k: usize) -> u128 {
        match self {
            Kind::Middles | Kind::Words => power(n, k),
            Kind::LastMoves => multisets(n, k).saturating_mul(u128::from(n) + 1),
            _ => self.positions(n, k),
        }
    }

    fn positions(self, n: Pile, k: usize) -> u128 {
        let wide = u128::from(n);
        match self {
            Kind::Middles | Kind::Words => power(n, k),
            Kind::Multisets => multisets(n, k),
            Kind::LastMoves => multisets(n, k) * (wide + 1),
            // The sum of p + 1 over all piles p, because a pile of p has the last moves 0, ..., p.
            Kind::Records => wide * (wide + 3) / 2,
            Kind::Values => wide,
            Kind::Sets | Kind::SetRows => {
                (1..=n).map(|p| rows_of(p, k)).fold(0, u128::saturating_add)
            }
        }
    }

    /// Returns four numbers: rows and columns of a tile, tiles of the table, and values in a cell.
    fn shape(self, n: Pile, k: usize) -> (usize, usize, u128, u64) {
        let size = n as usize;
        match self {
            Kind::Middles | Kind::Words if k == 1 => (1, size, 1, 1),
            Kind::Words => (size, size, power(n, k - 2), 1),
            Kind::Middles => {
                let tiles = (power(n, k - 2) + power(n, (k - 2).div_ceil(2))) / 2;
                (size, size, tiles, 1)
            }
            Kind::LastMoves => (1, size + 1, multisets(n, k), 1),
            Kind::Records => (1, 64, u128::from(n), 1),
            Kind::Sets => (1, 1, (2u128 << n).div_ceil(16), 16),
            Kind::Multisets | Kind::Values | Kind::SetRows => (1, 1, self.positions(n, k), 1),
        }
    }

    /// Returns a position's number by docs/FORMAT.md; for a record, the number of its first cell.
    fn number(self, n: Pile, position: &Position) -> u128 {
        let piles = position.piles();
        let largest = position.max_pile();
        let colex = || documented_number(piles);
        match self {
            Kind::Middles => documented_offset(n, piles),
            Kind::Words => lex(u128::from(n), piles),
            Kind::Multisets => colex(),
            Kind::LastMoves => {
                let last_move = position.last_move();
                // A last move larger than every pile forbids nothing, so its value is in column 0.
                let column = if last_move <= largest { last_move } else { 0 };
                colex() * (u128::from(n) + 1) + u128::from(column)
            }
            Kind::Records => 64 * (u128::from(largest) - 1),
            Kind::Values => u128::from(largest) - 1,
            Kind::Sets => (1 << largest) + index_of_set(position),
            Kind::SetRows => {
                let (p, length) = (u128::from(largest), piles.len() as u128);
                let before = (1..largest).map(|p| rows_of(p, piles.len())).sum::<u128>();
                let first = binomial(p + length - 2, length);
                before + ((colex() - first) << largest) + index_of_set(position)
            }
        }
    }
}

/// Returns the index of S as docs/FORMAT.md defines it: bit p - s is set if S contains move s.
fn index_of_set(position: &Position) -> u128 {
    let p = position.max_pile();
    let Memory::Available(set) = position.memory() else { panic!("{position} has no set") };
    (1..=p).filter(|&s| set.contains(s)).map(|s| 1 << (p - s)).sum()
}

/// Returns the number of positions with the largest pile p: 2^p sets of moves for each multiset.
fn rows_of(p: Pile, k: usize) -> u128 {
    let others = (k as u128).saturating_sub(1);
    let multisets = binomial(u128::from(p - 1) + others, others.min(70));
    match p {
        0..=100 => multisets.saturating_mul(1 << p),
        _ => u128::MAX,
    }
}

fn try_run(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let games: Vec<Game> = Game::all().collect();
    let game = *input.choose(&games)?;
    let (least, most) = *input.choose(&SIZES)?;
    let length = input.int_in_range(0..=70_u8)? as usize;
    let max_pile = input.int_in_range(least..=most)?;
    let has_values_only = game.remembers() == Remembers::Numbers;
    let form = match length == 1 && has_values_only && input.arbitrary()? {
        true => Form::ValuesOnly,
        false => Form::Whole,
    };
    let kind = Kind::of(game, length, form);
    let possible = match kind {
        // A larger pile has too many sets to count.
        Kind::Sets | Kind::SetRows if max_pile > 100 => false,
        _ => kind.is_possible(max_pile, length),
    };
    let table = match Table::of(game, Size { max_pile, length, form }) {
        Ok(table) => table,
        Err(error) => {
            assert!(!possible, "{game}, {max_pile}, {length}: {error}");
            return Ok(());
        }
    };
    assert!(possible, "{table}");
    sizes(kind, &table);
    for _ in 0..8 {
        from_number(kind, &table, input.int_in_range(0..=table.values() - 1)?);
        let piles: Vec<Pile> =
            (0..length).map(|_| input.int_in_range(1..=max_pile)).collect::<Result<_, _>>()?;
        let last_move = input.int_in_range(0..=max_pile.saturating_mul(2))?;
        let set = input.arbitrary()?;
        from_position(kind, &table, &position(game, piles, last_move, set));
    }
    outside(&table, input.int_in_range(0..=length as u8)? as usize);
    if u128::from(table.values()) <= SMALL && power(max_pile, length) <= SMALL {
        everything(kind, &table);
    }
    Ok(())
}

/// Returns a position, with the last move or the set of moves if the game remembers it.
fn position(game: Game, piles: Vec<Pile>, last_move: Pile, set: u64) -> Position {
    match game.remembers() {
        Remembers::Nothing => game.position(&piles),
        Remembers::Numbers => Position::after(piles, last_move),
        Remembers::Moves => Position::with_available(piles, &MoveSet::of_mask(set)),
    }
}

fn power(base: Pile, exponent: usize) -> u128 {
    (0..exponent).fold(1, |product: u128, _| product.saturating_mul(u128::from(base)))
}

fn multisets(n: Pile, k: usize) -> u128 {
    binomial((u128::from(n) + k as u128).saturating_sub(1), k as u128)
}

/// Returns C(n, k) for k <= 70; `u128::MAX` if it does not fit.
fn binomial(n: u128, k: u128) -> u128 {
    let mut product: u128 = 1;
    for i in 1..=k {
        match product.checked_mul((n + i).saturating_sub(k)) {
            Some(next) => product = next / i,
            None => return u128::MAX,
        }
    }
    product
}

fn sizes(kind: Kind, table: &Table) {
    let (game, n, k) = (table.game(), table.max_pile(), table.length());
    assert_eq!(u128::from(table.positions()), kind.positions(n, k), "{table}");
    let (rows, cols, tiles, per_cell) = kind.shape(n, k);
    assert_eq!((table.tile_rows(), table.tile_cols()), (rows, cols), "{table}");
    assert_eq!(u128::from(table.tiles()), tiles, "{table}");
    assert_eq!(table.values_per_cell(), per_cell, "{table}");
    assert_eq!(u128::from(table.cells()), tiles * rows as u128 * cols as u128, "{table}");
    let width = table.value_bytes();
    if matches!(kind, Kind::Records | Kind::Values | Kind::Sets) {
        assert_eq!(width, 4, "{table}");
    } else {
        // These bounds hold for values. A value is at most the number of options, and at most the
        // number of coins. A row has the most options if all piles have the largest size; a
        // multiset, if its piles are different and as large as possible. A threshold is at most the
        // number of coins. With sets, each move removes a number from the set.
        let largest = match (game.order(), game.remembers()) {
            _ if !game.is_impartial() => u64::from(n) * k as u64,
            (_, Remembers::Moves) => u64::from(n),
            (Order::Any, _) => (0..n).rev().take(k).map(|pile| u64::from(pile) + 1).sum(),
            (Order::Row | Order::Places, _) => {
                let position = game.position(&vec![n; k]);
                (game.moves(&position).len() as u64).min(position.coins())
            }
        };
        assert!(largest < 1 << (8 * width), "{table}");
    }
    let id = match kind {
        Kind::Values => format!("{game}/n{n}/g"),
        _ => format!("{game}/n{n}/k{k}"),
    };
    assert_eq!(table.to_string(), id);
    assert_eq!(id.parse::<Table>().as_ref(), Ok(table));
    assert_eq!(table.position(table.values()), None, "{table}");
    assert_eq!(table.position(u64::MAX), None, "{table}");
}

/// Returns the number of the position to which the value with index `number` belongs. All values of
/// a record have the number of its first value. A last move that exceeds every pile counts as no
/// last move. Returns `None` if the value belongs to no position.
fn stands_for(kind: Kind, table: &Table, number: u64) -> Option<u64> {
    let cols = table.tile_cols() as u64;
    let position = table.position(number);
    match kind {
        Kind::Records => Some(number / cols * cols),
        // Number 0 has no position, number 1 is the position without coins, and the end of the last
        // cell may be unused.
        Kind::Sets => (2..2 << table.max_pile()).contains(&number).then_some(number),
        Kind::LastMoves => {
            let position = position?;
            let idle = position.last_move() > position.max_pile();
            Some(if idle { number / cols * cols } else { number })
        }
        _ => Some(number),
    }
}

fn from_number(kind: Kind, table: &Table, number: u64) {
    let Some(stands_for) = stands_for(kind, table, number) else {
        assert!(table.position(number).is_none_or(|found| found.piles().is_empty()), "{table}");
        return;
    };
    let position = table.position(number);
    let position = position.unwrap_or_else(|| panic!("{table}: nothing at {number}"));
    assert!(table.holds(position.piles()), "{table} {position}");
    assert_eq!(table.number(&position), Some(stands_for), "{table} {position}");
}

fn from_position(kind: Kind, table: &Table, position: &Position) {
    let number = table.number(position);
    let number = number.unwrap_or_else(|| panic!("{table} has no {position}"));
    assert_eq!(u128::from(number), kind.number(table.max_pile(), position), "{table} {position}");
    let stored = table.position(number);
    let stored = stored.unwrap_or_else(|| panic!("{table}: nothing at {number}"));
    assert!(is_same(kind, &stored, position), "{table}: {stored} has the number of {position}");
    let place = table.locate(position).expect("it has a number");
    let (rows, cols) = (table.tile_rows() as u64, table.tile_cols() as u64);
    let cell = (place.tile * rows + place.row as u64) * cols + place.col as u64;
    assert_eq!(
        cell * table.values_per_cell() + u64::from(place.within),
        number,
        "{table} {position}"
    );
}

/// Checks that words outside this table have no number in it.
fn outside(table: &Table, at: usize) {
    let mut piles = vec![1; table.length()];
    assert!(table.locate_piles(&piles).is_some());
    if let Some(pile) = piles.get_mut(at) {
        for wrong in [0, table.max_pile() + 1, Pile::MAX] {
            *pile = wrong;
            assert_eq!(table.locate_piles(&vec![wrong; table.length()]), None, "{table}");
        }
        assert_eq!(table.locate_piles(&piles), None, "{table} {piles:?}");
        assert!(!table.holds(&piles), "{table} {piles:?}");
    }
    assert_eq!(table.locate_piles(&vec![1; table.length() + 1]), None, "{table}");
    assert_eq!(table.locate_piles(&vec![1; table.length() - 1]), None, "{table}");
}

/// Tries every word with every last move or set of moves. Different positions have different
/// numbers, and every number occurs.
fn everything(kind: Kind, table: &Table) {
    let (game, n) = (table.game(), table.max_pile());
    let mut met = vec![Vec::new(); table.values() as usize];
    let words = power(n, table.length());
    for index in 0..words {
        let mut rest = index;
        let piles: Vec<Pile> = (0..table.length())
            .map(|_| {
                let pile = (rest % u128::from(n)) as Pile + 1;
                rest /= u128::from(n);
                pile
            })
            .collect();
        let largest = piles.iter().copied().max().unwrap_or_default();
        let states = match game.remembers() {
            Remembers::Nothing => 1,
            Remembers::Numbers => u64::from(largest) + 1,
            Remembers::Moves => 1 << largest,
        };
        for state in 0..states {
            let position = position(game, piles.clone(), state as Pile, state);
            from_position(kind, table, &position);
            let number = table.number(&position).expect("every word has a number");
            met[number as usize].push(position);
        }
    }
    for (number, met) in (0..).zip(&met) {
        from_number(kind, table, number);
        let is_main = stands_for(kind, table, number) == Some(number);
        assert_eq!(!met.is_empty(), is_main, "{table}: at {number} {met:?}");
        let most = match kind {
            Kind::Middles => 2,
            Kind::Words => 1,
            _ => usize::MAX,
        };
        let same = met.iter().all(|other| is_same(kind, &met[0], other));
        assert!(met.len() <= most && same, "{table}: at {number} {met:?}");
    }
}

/// True if a position has the same number as the stored position.
fn is_same(kind: Kind, stored: &Position, other: &Position) -> bool {
    let sorted = |position: &Position| {
        let mut piles = position.piles().to_vec();
        piles.sort_unstable();
        piles
    };
    let effect = |position: &Position| match position.last_move() {
        taken if taken > position.max_pile() => 0,
        taken => taken,
    };
    let rows = (stored.piles(), other.piles());
    match kind {
        Kind::Words => rows.0 == rows.1,
        Kind::Middles => rows.0 == rows.1 || rows.0.iter().eq(rows.1.iter().rev()),
        Kind::Multisets | Kind::Records | Kind::Values => sorted(stored) == sorted(other),
        Kind::LastMoves => sorted(stored) == sorted(other) && effect(stored) == effect(other),
        Kind::Sets | Kind::SetRows => {
            sorted(stored) == sorted(other) && stored.memory() == other.memory()
        }
    }
}

/// Returns the position's number, as "The place of a position in a table of Nim" calculates it.
fn documented_number(piles: &[Pile]) -> u128 {
    let mut sorted = piles.to_vec();
    sorted.sort_unstable();
    (1..).zip(sorted).map(|(i, pile)| binomial(u128::from(pile) + i - 2, i)).sum()
}

fn lex(n: u128, word: &[Pile]) -> u128 {
    word.iter().fold(0, |lex, &pile| lex * n + u128::from(pile) - 1)
}

/// Returns the offset, in values, as "The place of a position in an End-Nim table" calculates it.
fn documented_offset(n: Pile, piles: &[Pile]) -> u128 {
    let n = u128::from(n);
    let (a, w, b) = match piles {
        [] => unreachable!("a table has positions of at least one pile"),
        &[b] => return u128::from(b) - 1,
        &[a, ref w @ .., b] => (a, w, b),
    };
    let reversed: Vec<Pile> = w.iter().rev().copied().collect();
    let (a, w, b) = if *w > *reversed { (b, reversed.as_slice(), a) } else { (a, w, b) };
    (documented_tile(n, w) * n + u128::from(a) - 1) * n + u128::from(b) - 1
}

/// Returns the tile, as the section "The tile of w, by calculation" describes.
fn documented_tile(n: u128, w: &[Pile]) -> u128 {
    let (x, u, y) = match w {
        [] => return 0,
        &[only] => return u128::from(only) - 1,
        &[x, ref u @ .., y] => (u128::from(x), u, u128::from(y)),
    };
    let all = n.pow(u.len() as u32);
    let canonical = (all + n.pow(u.len().div_ceil(2) as u32)) / 2;
    let start = (x - 1) * canonical + all * ((x - 1) * n - x * (x - 1) / 2);
    if x == y {
        return start + documented_tile(n, u);
    }
    start + canonical + (y - x - 1) * all + lex(n, u)
}
