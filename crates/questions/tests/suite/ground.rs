//! Small tables for tests that compare columns of positions or tiles with the slow evaluator.
//! Values come from the reference evaluator. The fuzz target `question` uses this module too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use grundy_kernels::Isa;
use grundy_questions::{
    Cells, Column, Dense, Places, Problem, Question, Tile, ValueError, Values, Worker,
};
use grundy_rules::reference::ByRules;
use grundy_rules::{Game, Memory, Numbering, Order, Pile, Position, Remembers, Table};

/// The values of all rows of one length, and the strides of [`Dense`].
type LevelRows = (Vec<u8>, Vec<usize>);

/// The values of the reference evaluator, with its memos.
#[derive(Default)]
pub(crate) struct ByReference {
    evaluators: Mutex<BTreeMap<Game, ByRules>>,
    /// The rows of the games given to `with_rows`, with an entry for each length from 1 on.
    dense: BTreeMap<Game, Vec<LevelRows>>,
    max_pile: Pile,
}

impl ByReference {
    /// Computes the values of all rows of up to three piles of these games, and keeps them.
    pub(crate) fn with_rows(games: &[Game], max_pile: Pile) -> ByReference {
        let mut found = ByReference { max_pile, ..ByReference::default() };
        let n = max_pile as usize;
        for (&game, length) in games.iter().flat_map(|game| (1..=3).map(move |k| (game, k))) {
            let strides: Vec<usize> = (0..length).map(|at| n.pow(at as u32)).collect();
            let piles = |place: usize| strides.iter().map(move |s| (place / s % n + 1) as Pile);
            let cell = |place| {
                let position = game.position(&piles(place).collect::<Vec<Pile>>());
                found.cell(game, position.piles(), position.memory()).unwrap() as u8
            };
            let cells = (0..n.pow(length as u32)).map(cell).collect();
            found.dense.entry(game).or_default().push((cells, strides));
        }
        found
    }
}

impl Values for ByReference {
    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError> {
        let position = as_position(game, piles, memory);
        // Refuse positions with many more coins than the positions of the tables.
        let most = match (game.remembers(), game.order()) {
            (Remembers::Moves, _) => 12,
            (Remembers::Numbers, _) => 30,
            (Remembers::Nothing, Order::Any) => 51,
            (Remembers::Nothing, Order::Row | Order::Places) => 130,
        };
        if position.coins() > most {
            return Err(Arc::new(std::io::Error::other("too many coins")));
        }
        let mut evaluators = self.evaluators.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(evaluators.entry(game).or_insert_with(|| ByRules::new(game)).cell(&position))
    }

    fn dense(&self, game: Game, length: usize) -> Option<Dense<'_>> {
        let (cells, strides) = self.dense.get(&game)?.get(length.checked_sub(1)?)?;
        Some(Dense { cells: Cells::Bytes(cells), strides, max_pile: self.max_pile })
    }
}

fn as_position(game: Game, piles: &[Pile], memory: &Memory) -> Position {
    match memory {
        Memory::Nothing => game.position(piles),
        memory => game.position_with(piles, memory),
    }
}

/// The positions at which a statement is true, and the positions at which it is false.
type Sides = (BTreeSet<Position>, BTreeSet<Position>);

#[derive(Debug, Default, PartialEq)]
struct Gathered {
    sides: Sides,
    premise: u64,
    checked: u64,
}

impl Gathered {
    fn take(&mut self, game: Game, column: &Column<'_>) {
        let (yes, no) = &mut self.sides;
        let before = yes.len() as u64;
        column.each(true, |piles, memory, _| assert!(yes.insert(as_position(game, piles, memory))));
        assert_eq!(yes.len() as u64 - before, column.holds());
        column.each(false, |piles, memory, _| assert!(no.insert(as_position(game, piles, memory))));
        self.premise += column.premise();
        self.checked += column.positions();
        assert_eq!((yes.len() + no.len()) as u64, self.checked);
    }
}

pub(crate) struct Ground {
    table: Table,
    values: ByReference,
    /// Every position with its cell, including the reversals of rows.
    positions: Vec<(Position, u32)>,
    places: Option<Places>,
}

impl Ground {
    pub(crate) fn new(game: Game, length: usize, max_pile: Pile, values: ByReference) -> Ground {
        let table = Table::new(game, max_pile, length).unwrap();
        let mut positions = BTreeSet::new();
        for position in (0..table.values()).filter_map(|number| table.position(number)) {
            if position.length() == length {
                if game.is_symmetric() {
                    positions.insert(position.reversed());
                }
                positions.insert(position);
            }
        }
        let cell = |p: &Position| values.cell(game, p.piles(), p.memory()).unwrap();
        let positions = positions.into_iter().map(|p| (p.clone(), cell(&p))).collect();
        let places = match table.numbering() {
            Numbering::Middles => Some(Places::Between),
            Numbering::Words => Some(Places::Behind),
            _ => None,
        };
        Ground { table, values, positions, places }
    }

    /// Compares columns with the slow evaluator, for each instruction set and for missing values.
    pub(crate) fn compare(&self, question: &Question) -> Result<(), Problem> {
        let (game, table) = (self.table.game(), &self.table);
        let by_tree = self.by_tree(question);
        for isa in Isa::available() {
            let what = format!("{} in {table}, {isa}", question.text());
            let tiles = self.places.map(|places| (places, table.tile_cells()));
            let prepared = question.prepare(table.length(), table.max_pile(), tiles, isa)?;
            let listed = gather(game, prepared.worker(&self.values), |worker, show| {
                self.positions.iter().try_for_each(|(position, cell)| {
                    worker.push(position.piles(), position.memory(), *cell, show).ok()
                })
            });
            assert_eq!(listed.as_ref().map(|listed| &listed.sides), by_tree.as_ref(), "{what}");
            if let (Some(listed), true) = (&listed, question.has_premise()) {
                assert!(listed.sides.1.len() as u64 <= listed.premise, "{what}");
            }
            let Some(places) = self.places else { continue };
            for wide in [false, true] {
                let tiled = gather(game, prepared.worker(&self.values), |worker, show| {
                    (0..table.tiles())
                        .try_for_each(|tile| self.show_tile(worker, tile, places, wide, show))
                });
                assert_eq!(tiled, listed, "{what}");
            }
        }
        Ok(())
    }

    fn by_tree(&self, question: &Question) -> Option<Sides> {
        let mut sides = Sides::default();
        for (position, cell) in &self.positions {
            let (piles, memory) = (position.piles(), position.memory());
            let holds = question.holds(piles, memory, *cell, &self.values).ok()?;
            if holds { &mut sides.0 } else { &mut sides.1 }.insert(position.clone());
        }
        Some(sides)
    }

    fn show_tile(
        &self,
        worker: &mut Worker<'_>,
        tile: u64,
        places: Places,
        wide: bool,
        show: &mut dyn FnMut(&Column<'_>),
    ) -> Option<()> {
        let (table, mut word) = (&self.table, Vec::new());
        table.tile_word(tile, &mut word);
        let first = tile * table.tile_cells() as u64;
        let cell = |number| {
            let p = table.position(number).expect("rows have no gaps");
            self.values.cell(table.game(), p.piles(), p.memory()).unwrap()
        };
        let words: Vec<u16> =
            (first..first + table.tile_cells() as u64).map(|number| cell(number) as u16).collect();
        let bytes: Vec<u8> = words.iter().map(|&cell| cell as u8).collect();
        let cells = if wide { Cells::Words(&words) } else { Cells::Bytes(&bytes) };
        let is_palindrome = word.iter().eq(word.iter().rev());
        let weight = if places == Places::Between && !is_palindrome { 2 } else { 1 };
        let tile = Tile { word: &word, places, cols: table.tile_cols(), cells, weight };
        worker.tile(tile, &mut *show).ok()
    }
}

/// Gathers the results of a worker. `None` if a value is missing.
fn gather(
    game: Game,
    mut worker: Worker<'_>,
    work: impl FnOnce(&mut Worker<'_>, &mut dyn FnMut(&Column<'_>)) -> Option<()>,
) -> Option<Gathered> {
    let mut gathered = Gathered::default();
    let mut show = |column: &Column<'_>| gathered.take(game, column);
    work(&mut worker, &mut show)?;
    worker.flush(&mut show).ok()?;
    Some(gathered)
}
