//! Code for several tests: tables in memory, the oracle, and lists of positions.

use grundy_sweep::MemoryLimit;
use std::cell::RefCell;
use std::ops::Range;

use grundy_kernels::Isa;
use grundy_rules::{
    Form, Game, Meaning, Move, MoveSet, Order, Pile, Position, Remembers, Rules, Table, misere_form,
};
use grundy_solvers::{
    Checking, Count, Derived, Env, Job, Limits, Maker, Making, Means, NoTables, Reading, Solver,
    Stored, Surveyor, TableRequest, Tables, TileRun, Wanted, read_cells, solver, with_bytes,
};
use grundy_sweep::Control;

#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) table: Table,
    pub(crate) cells: Vec<u32>,
    /// True if the table reports look-ups at random places.
    pub(crate) at_random: bool,
    /// True if the cells of the table cannot be read.
    pub(crate) lost: bool,
}

/// The number of tiles in a frame. Tables have several frames, and the last frame is shorter.
const TILES_PER_FRAME: u64 = 5;

impl Held {
    pub(crate) fn new(table: &Table, bytes: &[u8]) -> Held {
        let mut cells = Vec::new();
        assert_eq!(bytes.len() as u64, table.cells() * table.value_bytes() as u64, "{table}");
        read_cells(table.value_bytes(), bytes, &mut cells);
        Held { table: table.clone(), cells, at_random: false, lost: false }
    }

    fn read(&self) -> Reading<()> {
        if self.lost { Err("it is lost".into()) } else { Ok(()) }
    }

    pub(crate) fn with_cell(&self, at: usize, cell: u32) -> Held {
        let mut changed = self.clone();
        changed.cells[at] = cell;
        changed
    }
}

impl Stored for Held {
    fn table(&self) -> &Table {
        &self.table
    }

    fn cell(&self, cell: u64) -> Reading<u32> {
        self.read().map(|()| self.cells[cell as usize])
    }

    fn cells(&self, first: u64, step: u64, count: usize, out: &mut Vec<u32>) -> Reading<()> {
        out.clear();
        out.extend((0..count as u64).map(|at| self.cells[(first + at * step) as usize]));
        self.read()
    }

    fn frames(&self) -> u64 {
        self.table.tiles().div_ceil(TILES_PER_FRAME)
    }

    fn file_bytes(&self) -> u64 {
        4 * self.cells.len() as u64
    }

    fn frame_of(&self, tile: u64) -> u64 {
        tile / TILES_PER_FRAME
    }

    fn frame(&self, frame: u64, out: &mut Vec<u8>) -> Reading<Range<u64>> {
        let first = frame * TILES_PER_FRAME;
        let tiles = first..(first + TILES_PER_FRAME).min(self.table.tiles());
        let cells = self.table.tile_cells();
        out.clear();
        for cell in &self.cells[tiles.start as usize * cells..tiles.end as usize * cells] {
            out.extend(&cell.to_le_bytes()[..self.table.value_bytes()]);
        }
        self.read().map(|()| tiles)
    }

    fn is_resident(&self) -> bool {
        !self.at_random
    }

    fn is_asked_at_random(&self) -> bool {
        self.at_random
    }
}

/// Tables by increasing largest pile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf(pub(crate) Vec<Held>);

impl Shelf {
    pub(crate) fn of(tables: impl IntoIterator<Item = Held>) -> Shelf {
        let mut tables: Vec<Held> = tables.into_iter().collect();
        tables.sort_by_key(|held| held.table.max_pile());
        Shelf(tables)
    }

    pub(crate) fn of_length(&self, length: usize) -> &Held {
        self.0.iter().find(|held| held.table.length() == length).unwrap()
    }
}

impl Tables for Shelf {
    fn find(&self, game: Game, length: usize, wanted: Wanted<'_>) -> Option<&dyn Stored> {
        let of = |held: &&Held| held.table.game() == game && held.table.length() == length;
        self.0.iter().filter(of).map(|held| held as &dyn Stored).find(|held| wanted(*held))
    }
}

/// Requests tables of up to `length` piles, with exactly the given sizes.
pub(crate) fn wanted(max_pile: Pile, length: usize) -> TableRequest {
    TableRequest {
        max_pile,
        length: Some(length),
        literally: true,
        single: Some(max_pile),
        form: Form::Whole,
    }
}

/// The resources of a build with much memory and two threads.
pub(crate) const PLENTY: Means =
    Means { memory: MemoryLimit::new(1 << 30), threads: 2, frame_bytes: 1 << 16, in_order: false };

/// Returns the bytes of a table, filled by a prepared maker in runs of `run` tiles. If the work is
/// chained, each run is a new one that continues from a saved state.
pub(crate) fn bytes_of(maker: &dyn Maker, table: &Table, run: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let control = Control::new();
    if let Some(mut in_order) = maker.in_order(table, &control) {
        let mut room = Vec::new();
        for done in (0..table.tiles()).step_by(run as usize) {
            let (tiles, mut next) = (run.min(table.tiles() - done), Vec::new());
            in_order.next(tiles, &mut next).unwrap();
            bytes.extend_from_slice(with_bytes(table, tiles, &next, &mut room));
            let mut state = Vec::new();
            in_order.save(&mut state).unwrap();
            if !state.is_empty() {
                in_order = maker.in_order(table, &control).unwrap();
                assert!(in_order.load(&mut &state[..]).unwrap(), "{table}");
            }
        }
        return bytes;
    }
    let (mut worker, mut room) = (maker.worker(table), Vec::new());
    let mut first = 0;
    while first < table.tiles() {
        let count = run.min(table.tiles() - first);
        bytes.extend_from_slice(with_bytes(table, count, worker.tiles(first, count), &mut room));
        first += count;
    }
    bytes
}

/// Fills the tables of a request, as a build does.
pub(crate) fn fill(solver: &dyn Solver, game: Game, wanted: &TableRequest, means: &Means) -> Shelf {
    let max_pile = wanted.max_pile;
    let mut maker = solver.maker(Job { game, max_pile, isa: Isa::best() });
    let tables = solver.tables(game, wanted).unwrap();
    let fill = |table: Table| {
        let needs = solver.needs(&table, means);
        maker.prepare(&table, &needs, &Control::new()).unwrap();
        let in_order = matches!(needs.making, Making::InOrder | Making::Chained);
        assert_eq!(in_order, maker.in_order(&table, &Control::new()).is_some(), "{table}");
        Held::new(&table, &bytes_of(&*maker, &table, 3))
    };
    Shelf::of(tables.into_iter().map(fill))
}

/// Fills the tables of a game for up to `length` piles of at most `max_pile` coins, with the usual
/// solver of the game; `None` if there is no such table.
pub(crate) fn tables_of(game: Game, max_pile: Pile, length: usize) -> Option<Shelf> {
    let request = wanted(max_pile, length);
    solver(game).tables(game, &request).ok()?;
    Some(fill(solver(game), game, &request, &PLENTY))
}

/// Returns every word of a length over 1..=N in lexicographic order.
fn words(max_pile: Pile, length: usize) -> Vec<Vec<Pile>> {
    let mut words = vec![Vec::new()];
    for _ in 0..length {
        let longer = words
            .iter()
            .flat_map(|word| (1..=max_pile).map(move |pile| [&word[..], &[pile]].concat()));
        words = longer.collect();
    }
    words
}

/// Returns every position of a game with `length` piles of at most N. Includes every last move up
/// to `last_moves`, or every set of moves.
pub(crate) fn positions(
    game: Game,
    max_pile: Pile,
    length: usize,
    last_moves: Pile,
) -> Vec<Position> {
    let mut words = words(max_pile, length);
    if game.order() == Order::Any {
        words.retain(|word| word.is_sorted());
    }
    let with_memory = |word: Vec<Pile>| -> Vec<Position> {
        match game.remembers() {
            Remembers::Nothing => vec![game.position(&word)],
            Remembers::Numbers => {
                (0..=last_moves).map(|k| Position::after(word.clone(), k)).collect()
            }
            Remembers::Moves => {
                let largest = word.iter().copied().max().unwrap_or(0);
                let set = |mask| Position::with_available(word.clone(), &MoveSet::of_mask(mask));
                (0..1 << largest).map(set).collect()
            }
        }
    };
    words.into_iter().flat_map(with_memory).collect()
}

pub(crate) fn with_memory_of(game: Game, piles: &[Pile], seed: u64) -> Position {
    match game.remembers() {
        Remembers::Nothing => game.position(piles),
        Remembers::Numbers => Position::after(piles.to_vec(), (seed % 8) as Pile),
        Remembers::Moves => Position::with_available(piles.to_vec(), &MoveSet::of_mask(seed)),
    }
}

/// The rules of a game under a new name, with the default index and no family.
#[derive(Debug)]
struct Plain(Game, &'static str);

impl Rules for Plain {
    fn id(&self) -> &'static str {
        self.1
    }

    fn title(&self) -> &'static str {
        self.0.title()
    }

    fn paper(&self) -> &'static str {
        self.0.paper()
    }

    fn order(&self) -> Order {
        self.0.order()
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        self.0.moves(position)
    }

    fn meaning(&self) -> Meaning {
        self.0.meaning()
    }

    fn remembers(&self) -> Remembers {
        self.0.remembers()
    }

    fn has_empty_position(&self) -> bool {
        self.0.has_empty_position()
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        self.0.largest_value(max_pile, length)
    }
}

/// Returns a game with the same rules as `game`, but without a family.
pub(crate) fn plain(game: Game) -> Game {
    let name = Box::leak(format!("plain-{game}").into_boxed_str());
    Game::new(Box::leak(Box::new(Plain(game, name))))
}

/// Returns the misère forms of the games of the registry.
pub(crate) fn misere_forms() -> impl Iterator<Item = Game> {
    Game::all()
        .filter(|game| game.normal_play().is_none())
        .filter_map(|game| misere_form(game).ok())
}

/// True if the cells of a table are simply the values or the classes of the table's positions.
pub(crate) fn has_plain_cells(table: &Table) -> bool {
    let game = table.game();
    let env = Env::with_nothing(&NoTables);
    let position = game.position(&vec![1; table.length()]);
    let answer = solver(game).answer(game, &position, &env).unwrap();
    table.numbering().is_plain() && answer.thresholds.is_none()
}

pub(crate) fn env(memory: u64, seconds: f64) -> Env<'static> {
    Env {
        limits: Limits { memory: MemoryLimit::new(memory), seconds },
        ..Env::with_nothing(&NoTables)
    }
}

/// A clock that returns the times of a list in order, and then repeats the last time.
pub(crate) mod clock {
    use super::RefCell;

    thread_local! {
        static TIMES: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
    }

    pub(crate) fn set(times: &[f64]) {
        TIMES.set(times.iter().rev().copied().collect());
    }

    pub(crate) fn now() -> f64 {
        TIMES.with_borrow_mut(|times| match times.len() {
            1 => times[0],
            _ => times.pop().unwrap(),
        })
    }
}

pub(crate) fn count_of<'a>(
    table: &'a Table,
    stored: Option<&'a Held>,
    control: &'a Control,
) -> Count<'a> {
    let stored = stored.map(|held| held as &dyn Stored);
    Count { table, stored, memory: MemoryLimit::new(1 << 30), isa: Isa::best(), control }
}

/// Checks a table, `tiles` tiles at a time. Returns the result up to the first wrong cell.
pub(crate) fn check(
    solver: &dyn Surveyor,
    held: &Held,
    tables: &dyn Tables,
    tiles: u64,
    full: bool,
) -> Derived {
    check_within(MemoryLimit::new(1 << 30), solver, held, tables, tiles, full)
}

/// Does the same as [`check`], with a memory limit.
pub(crate) fn check_within(
    memory: MemoryLimit,
    solver: &dyn Surveyor,
    held: &Held,
    tables: &dyn Tables,
    tiles: u64,
    full: bool,
) -> Derived {
    let control = Control::new();
    let of = Checking { stored: held, tables, memory, control: &control };
    let mut checker = solver.checker(of).unwrap();
    let mut all = Derived::default();
    let cells = held.table.tile_cells();
    for (at, piece) in (0..).zip(held.cells.chunks(tiles as usize * cells)) {
        let found = checker.check(TileRun { first: at * tiles, cells: piece, full }).unwrap();
        all.values += found.values;
        if found.wrong.is_some() {
            return Derived { wrong: found.wrong, ..all };
        }
    }
    all
}
