//! The place of a position in its table.
//!
//! - Offset to position to offset is the identity, for every size of table.
//! - A position's offset is the one that docs/FORMAT.md states, computed here from that
//!   page alone; what stands there is the position or its reversal.
//! - In a small table every offset is that of some position: all of them are tried.
//! - The numbers of tiles, cells and positions are those of docs/FORMAT.md.
//! - A size is refused exactly if a pile or the length would be 0, the largest pile or the
//!   length is above the documented limit, or there are more than 2^63 positions.
//! - The name of a table reads back as the table.

use arbitrary::Unstructured;
use grundy_rules::{
    Game, LARGEST_HEAP, LARGEST_LENGTH, LARGEST_MAX_PILE, Memory, Pile, Position, Table,
};

/// Panics if one of the statements above is false for the sizes and positions that these
/// bytes choose.
pub fn run(data: &[u8]) {
    // The input can run out only where a choice has no candidates, and all have some.
    let _ = try_run(&mut Unstructured::new(data));
}

/// Sizes at the edges: one pile, seed rows, both widths of a value, and tables that are
/// too large.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![Vec::new(), vec![0xFF; 40]];
    for size in 0..SIZES.len() as u8 {
        for length in [1, 2, 3, 5, 8, 12, 60] {
            for game in 0..Game::ALL.len() as u8 {
                seeds.push(vec![game, size, length, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8]);
            }
        }
    }
    seeds
}

/// Ranges of the largest pile to choose from.
const SIZES: [(Pile, Pile); 7] =
    [(1, 1), (2, 5), (1, 16), (60, 70), (120, 130), (4_090, 4_100), (0, Pile::MAX)];

/// Most words of a table that is checked whole.
const SMALL: u128 = 2_000;

fn try_run(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let game = *input.choose(&Game::ALL)?;
    match game {
        Game::ShortGlobalNim => return short_global(input),
        Game::LongGlobalNim => return long_global(input),
        _ => {}
    }
    let (least, most) = *input.choose(&SIZES)?;
    let length = input.int_in_range(0..=70_u8)? as usize;
    let max_pile = input.int_in_range(least..=most)?;
    let words = power(max_pile, length);
    let positions = positions(game, max_pile, length);
    let possible = (1..=LARGEST_MAX_PILE).contains(&max_pile)
        && (1..=LARGEST_LENGTH).contains(&length)
        && positions <= 1 << 63;
    let table = match Table::new(game, max_pile, length) {
        Ok(table) => table,
        Err(error) => {
            assert!(!possible, "{max_pile}, {length}: {error}");
            return Ok(());
        }
    };
    assert!(possible, "{table}");
    sizes(&table, positions);
    for _ in 0..8 {
        let offset = input.int_in_range(0..=table.cells() - 1)?;
        from_offset(&table, offset);
        let piles: Vec<Pile> =
            (0..length).map(|_| input.int_in_range(1..=max_pile)).collect::<Result<_, _>>()?;
        from_piles(&table, &piles);
    }
    outside(&table, input.int_in_range(0..=length as u8)? as usize);
    if words <= SMALL {
        everything(&table, words);
    }
    Ok(())
}

/// Tables of short global nim have last moves besides.
fn short_global(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let (least, most) = *input.choose(&SIZES)?;
    let length = input.int_in_range(0..=70_u8)? as usize;
    let max_pile = input.int_in_range(least..=most)?;
    let values_only: bool = input.arbitrary()?;
    let multisets = positions(Game::ShortGlobalNim, max_pile, length);
    let cells = multisets.saturating_mul(u128::from(max_pile) + 1);
    let (table, possible) = match length {
        1 => {
            let possible = (1..=LARGEST_HEAP).contains(&max_pile);
            (Table::heaps(max_pile, values_only), possible)
        }
        _ => {
            let possible = (1..=LARGEST_MAX_PILE).contains(&max_pile)
                && (1..=LARGEST_LENGTH).contains(&length)
                && cells <= 1 << 63;
            (Table::new(Game::ShortGlobalNim, max_pile, length), possible)
        }
    };
    let Ok(table) = table else {
        assert!(!possible, "{max_pile}, {length}");
        return Ok(());
    };
    assert!(possible, "{table}");
    assert_eq!(table.to_string().parse::<Table>().as_ref(), Ok(&table));
    if length == 1 {
        let pile = input.int_in_range(1..=max_pile)?;
        let place = table.locate_after(&[pile], 0).expect("every pile has a record");
        assert_eq!((place.tile, place.col), (u64::from(pile) - 1, 0));
        assert_eq!(u64::from(max_pile), table.tiles());
        return Ok(());
    }
    assert_eq!(u128::from(table.cells()), cells, "{table}");
    for _ in 0..8 {
        let piles: Vec<Pile> =
            (0..length).map(|_| input.int_in_range(1..=max_pile)).collect::<Result<_, _>>()?;
        let last_move: Pile = input.int_in_range(0..=2 * max_pile)?;
        let place = table.locate_after(&piles, last_move).expect("it is of the table");
        let largest = piles.iter().copied().max().unwrap_or_default();
        let column = if last_move <= largest { last_move } else { 0 };
        assert_eq!(u128::from(place.tile), documented_number(&piles), "{table} {piles:?}");
        assert_eq!(place.col, column as usize);
        let offset = place.tile * table.tile_cols() as u64 + place.col as u64;
        let stored = table.position_at(offset).expect("it has a place");
        assert!(is_same(Game::Nim, stored.piles(), &piles) && stored.last_move() == column);
    }
    Ok(())
}

/// Tables of long global nim have sets of moves besides.
fn long_global(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let game = Game::LongGlobalNim;
    let (least, most) = *input.choose(&[(0, 5), (1, 16), (28, 40), (0, Pile::MAX)])?;
    let length = input.int_in_range(0..=34_u8)? as usize;
    let max_pile: Pile = input.int_in_range(least..=most)?;
    let largest_pile = if length == 1 { 35 } else { 31 };
    // The multisets whose largest pile is p, 2^p sets each.
    let row = |p: Pile| {
        let others = (length as u128).saturating_sub(1);
        let multisets = binomial(u128::from(p - 1) + others, others.min(70));
        multisets.saturating_mul(1 << p)
    };
    let total = |last: Pile| (1..=last).map(row).fold(0, u128::saturating_add);
    let possible = (1..=largest_pile).contains(&max_pile)
        && (1..=31).contains(&length)
        && total(max_pile) <= 1 << 63;
    let Ok(table) = Table::new(game, max_pile, length) else {
        assert!(!possible, "{max_pile}, {length}");
        return Ok(());
    };
    assert!(possible, "{table}");
    assert_eq!(table.to_string().parse::<Table>().as_ref(), Ok(&table));
    assert_eq!(u128::from(table.positions()), total(max_pile), "{table}");
    for _ in 0..8 {
        let piles: Vec<Pile> =
            (0..length).map(|_| input.int_in_range(1..=max_pile)).collect::<Result<_, _>>()?;
        let set: u64 = input.arbitrary()?;
        let p = piles.iter().copied().max().unwrap_or_default();
        let index: u128 = (1..=p).filter(|s| set >> (s - 1) & 1 == 1).map(|s| 1 << (p - s)).sum();
        let (cell, within) = table.locate_set(&piles, set).expect("it is of the table");
        let stored = if length == 1 {
            let number = (1 << p) + index;
            assert_eq!(u128::from(cell) * 16 + u128::from(within), number, "{table} {piles:?}");
            assert!(cell < table.tiles());
            grundy_rules::table::position_of_number(number as u64)
        } else {
            let first: u128 = binomial(u128::from(p) + length as u128 - 2, length as u128);
            let before = documented_number(&piles) - first;
            let number = total(p - 1) + (before << p) + index;
            assert_eq!((u128::from(cell), within), (number, 0), "{table} {piles:?}");
            table.position_at(cell)
        };
        let stored = stored.expect("it has a place");
        let Memory::Available(found) = stored.memory() else { panic!("{stored}") };
        assert!(is_same(Game::Nim, stored.piles(), &piles), "{table} {piles:?}");
        assert_eq!(found.mask(), Some(set & ((1 << p) - 1)), "{stored}");
    }
    Ok(())
}

fn power(base: Pile, exponent: usize) -> u128 {
    (0..exponent).fold(1, |product: u128, _| product.saturating_mul(u128::from(base)))
}

/// Words, or multisets: C(n + k - 1, k).
fn positions(game: Game, n: Pile, k: usize) -> u128 {
    if !game.is_unordered() {
        return power(n, k);
    }
    binomial((u128::from(n) + k as u128).saturating_sub(1), k as u128)
}

/// C(n, k) for k <= 70, too large a number if it does not fit.
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

fn sizes(table: &Table, positions: u128) {
    let (game, n, k) = (table.game(), table.max_pile(), table.length());
    assert_eq!(u128::from(table.positions()), positions, "{table}");
    let (rows, cols, tiles) = match (game, k) {
        (Game::Nim | Game::MisereNim, _) => (1, 1, positions),
        (_, 1) => (1, n, 1),
        (Game::PartizanEndNim, _) => (n, n, power(n, k - 2)),
        _ => (n, n, (power(n, k - 2) + power(n, (k - 2).div_ceil(2))) / 2),
    };
    assert_eq!(table.tile_rows(), rows as usize, "{table}");
    assert_eq!(table.tile_cols(), cols as usize, "{table}");
    assert_eq!(u128::from(table.tiles()), tiles, "{table}");
    let cells = tiles * u128::from(rows) * u128::from(cols);
    assert_eq!(u128::from(table.cells()), cells, "{table}");
    // A value is at most the sum of the two ends, or of as many piles as can differ; a
    // threshold at most the sum of all piles.
    let largest = match game {
        Game::Nim | Game::MisereNim => (0..n).rev().take(k).map(|pile| u64::from(pile) + 1).sum(),
        Game::PartizanEndNim => u64::from(n) * k as u64,
        _ => 2 * u64::from(n),
    };
    assert!(largest < 1 << (8 * table.value_bytes()), "{table}");
    let id = format!("{}/n{n}/k{k}", table.game());
    assert_eq!(table.to_string(), id);
    assert_eq!(id.parse::<Table>().as_ref(), Ok(table));
    assert_eq!(table.position_at(table.cells()), None, "{table}");
    assert_eq!(table.position_at(u64::MAX), None, "{table}");
}

fn from_offset(table: &Table, offset: u64) {
    let position =
        table.position_at(offset).unwrap_or_else(|| panic!("{table}: nothing at {offset}"));
    assert!(table.holds(position.piles()), "{table} {position}");
    assert_eq!(table.offset(position.piles()), Some(offset), "{table} {position}");
}

fn from_piles(table: &Table, piles: &[Pile]) {
    let position = Position::new(piles.to_vec()).expect("no pile is empty");
    let offset = table.offset(piles).unwrap_or_else(|| panic!("{table} has no {position}"));
    let documented = match table.game() {
        Game::Nim | Game::MisereNim => documented_number(piles),
        Game::PartizanEndNim => lex(u128::from(table.max_pile()), piles),
        _ => documented_offset(table.max_pile(), piles),
    };
    assert_eq!(u128::from(offset), documented, "{table} {position}");
    let stored =
        table.position_at(offset).unwrap_or_else(|| panic!("{table}: nothing at {offset}"));
    assert!(
        is_same(table.game(), stored.piles(), piles),
        "{table}: {stored} in the place of {position}"
    );
    let place = table.locate(piles).expect("it has an offset");
    let (rows, cols) = (table.tile_rows() as u64, table.tile_cols() as u64);
    assert_eq!(
        (place.tile * rows + place.row as u64) * cols + place.col as u64,
        offset,
        "{table} {position}"
    );
}

/// Words that are not of this table have no place in it.
fn outside(table: &Table, at: usize) {
    let mut piles = vec![1; table.length()];
    assert!(table.offset(&piles).is_some());
    if let Some(pile) = piles.get_mut(at) {
        for wrong in [0, table.max_pile() + 1, Pile::MAX] {
            *pile = wrong;
            assert_eq!(table.offset(&vec![wrong; table.length()]), None, "{table}");
        }
        assert_eq!(table.offset(&piles), None, "{table} {piles:?}");
    }
    assert_eq!(table.offset(&vec![1; table.length() + 1]), None, "{table}");
    assert_eq!(table.offset(&vec![1; table.length() - 1]), None, "{table}");
}

/// Every word: each offset is met by the words of one position.
fn everything(table: &Table, words: u128) {
    let mut met = vec![Vec::new(); table.cells() as usize];
    for index in 0..words {
        let mut rest = index;
        let piles: Vec<Pile> = (0..table.length())
            .map(|_| {
                let pile = (rest % u128::from(table.max_pile())) as Pile + 1;
                rest /= u128::from(table.max_pile());
                pile
            })
            .collect();
        from_piles(table, &piles);
        let offset = table.offset(&piles).expect("every word has a place");
        met[offset as usize].push(piles);
    }
    for (offset, met) in met.iter().enumerate() {
        let most = if table.game() == Game::PartizanEndNim { 1 } else { 2 };
        let right = !met.is_empty() && (met.len() <= most || table.game().is_unordered());
        let same = met.iter().all(|other| is_same(table.game(), &met[0], other));
        assert!(right && same, "{table}: at {offset} {met:?}");
        from_offset(table, offset as u64);
    }
}

/// Whether two words are one position of a game.
fn is_same(game: Game, one: &[Pile], other: &[Pile]) -> bool {
    let sorted = |piles: &[Pile]| {
        let mut piles = piles.to_vec();
        piles.sort_unstable();
        piles
    };
    match game {
        Game::Nim | Game::MisereNim => sorted(one) == sorted(other),
        Game::PartizanEndNim => one == other,
        _ => one == other || one.iter().eq(other.iter().rev()),
    }
}

/// The offset by "The place of a position in a table of Nim".
fn documented_number(piles: &[Pile]) -> u128 {
    let mut sorted = piles.to_vec();
    sorted.sort_unstable();
    (1..).zip(sorted).map(|(i, pile)| binomial(u128::from(pile) + i - 2, i)).sum()
}

/// The number of a word in lexicographic order.
fn lex(n: u128, word: &[Pile]) -> u128 {
    word.iter().fold(0, |lex, &pile| lex * n + u128::from(pile) - 1)
}

/// The offset, in values, by "The place of a position in an End-Nim table".
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

/// "The tile of w, by calculation."
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
