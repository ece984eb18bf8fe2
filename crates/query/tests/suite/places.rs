//! Tests prefetching from remote tables, retries after damaged bytes, and timeouts. The location
//! records its calls.

use grundy_sweep::MemoryLimit;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::{fs, io};

use grundy_builder::{Geometry, Request};
use grundy_query::{
    Database, Difference, Limits, Location, Problem, QueryError, ShardBytes, ShardRange,
    VerifyReport, verify,
};
use grundy_rules::{Pile, Position, Table, games};
use grundy_shard::manifest::{Manifest, ShardEntry, hex, shard_path};
use grundy_shard::{Shard, Source, ends};
use grundy_solvers::Stored as _;
use grundy_sweep::Control;
use grundy_testing::database::{built, encoded, shard};
use tempfile::TempDir;

use crate::common::{only, table};

/// The shards and ranges of one prefetch.
type Said = Vec<(u32, Range<u64>)>;

/// The available shards, by table and index, and the recorded calls.
#[derive(Debug, Default)]
struct Place {
    manifest: Manifest,
    shards: BTreeMap<(String, u32), Arc<Bytes>>,
    is_remote: bool,
    refuses: AtomicBool,
    wanted: Mutex<Vec<Said>>,
    within: Mutex<Vec<f64>>,
}

/// The bytes of a shard, which can be unreadable, or wrong until `forget` is called.
#[derive(Debug, Default)]
struct Bytes {
    right: Vec<u8>,
    wrong: Mutex<Option<Vec<u8>>>,
    /// True if `forget` allows another read.
    again: bool,
    /// True if the bytes are always right from the second read on.
    heals: bool,
    forgotten: AtomicUsize,
    broken: Mutex<Option<Break>>,
}

/// A failure: after `reads` reads, all bytes from `from` on are unreadable.
#[derive(Debug)]
struct Break {
    from: u64,
    reads: usize,
    /// The control that the failing read stops, if there is one.
    control: Option<Arc<Control>>,
}

impl Source for Bytes {
    fn length(&self) -> u64 {
        self.wrong.lock().unwrap().as_ref().unwrap_or(&self.right).len() as u64
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if let Some(broken) = &mut *self.broken.lock().unwrap()
            && at >= broken.from
        {
            if broken.reads == 0 {
                broken.control.iter().for_each(|control| control.stop());
                return Err(io::ErrorKind::TimedOut.into());
            }
            broken.reads -= 1;
        }
        let range = at as usize..at as usize + count;
        let mut wrong = self.wrong.lock().unwrap();
        let bytes = wrong.as_ref().unwrap_or(&self.right);
        *room = bytes.get(range).ok_or(io::ErrorKind::UnexpectedEof)?.to_vec();
        if self.heals {
            *wrong = None;
        }
        Ok(room)
    }

    fn forget(&self) -> bool {
        self.forgotten.fetch_add(1, Ordering::Relaxed);
        if self.again {
            *self.wrong.lock().unwrap() = None;
        }
        self.again
    }
}

impl Location for Place {
    fn path(&self) -> &Path {
        Path::new("there")
    }

    fn manifest(&self) -> Result<Option<Manifest>, QueryError> {
        Ok(Some(self.manifest.clone()))
    }

    fn shard(&self, table: &str, shard: u32, _: &ShardEntry) -> io::Result<ShardBytes> {
        let bytes = self.shards.get(&(table.to_owned(), shard)).ok_or(io::ErrorKind::NotFound)?;
        Ok((Arc::clone(bytes) as Arc<dyn Source + Send + Sync>).into())
    }

    fn is_remote(&self) -> bool {
        self.is_remote
    }

    fn want(&self, wanted: &[ShardRange]) -> io::Result<()> {
        let said = wanted.iter().map(|wanted| (wanted.shard, wanted.range.clone())).collect();
        self.wanted.lock().unwrap().push(said);
        match self.refuses.load(Ordering::Relaxed) {
            true => Err(io::ErrorKind::NotConnected.into()),
            false => Ok(()),
        }
    }

    fn within(&self, seconds: f64) {
        self.within.lock().unwrap().push(seconds);
    }
}

impl Place {
    fn wanted(&self) -> Vec<Said> {
        std::mem::take(&mut self.wanted.lock().unwrap())
    }
}

fn open(place: &Arc<Place>, memory: u64) -> Database {
    let limits = Limits { memory: MemoryLimit::new(memory), ..Limits::default() };
    Database::open_at(Arc::clone(place) as Arc<dyn Location>, limits).unwrap()
}

const MUCH: u64 = 4 << 30;
const LITTLE: u64 = 1 << 20;

/// Returns the location of a table whose values are all 0. Only the shards `there` can be read. No
/// game has such a table. But the bytes that a look-up reads depend only on the shape of the table.
fn zeros(table: &Table, there: &[u32]) -> Place {
    let geometry = Geometry::of(table);
    let mut place = Place { is_remote: true, ..Place::default() };
    let mut shards = Vec::new();
    for shard in 0..geometry.shards() {
        // Shards that are never opened may have any length and digest.
        let mut listed = ShardEntry { bytes: 1_000_000, blake3: hex(&[0; 32]) };
        if there.contains(&shard) {
            let description = geometry.description(shard);
            let encoded = encoded(&description, &vec![0; description.value_len() as usize]);
            listed.bytes = encoded.bytes.len() as u64;
            listed.blake3 = hex(&encoded.digest);
            let bytes = Bytes { right: encoded.bytes, ..Bytes::default() };
            place.shards.insert((table.to_string(), shard), Arc::new(bytes));
        }
        shards.push(listed);
    }
    place.manifest.tables.insert(table.to_string(), geometry.entry(shards));
    place
}

fn frames(place: &Place, shard: u32, frames: Range<u64>) -> Said {
    let (_, bytes) = place.shards.iter().find(|((_, number), _)| *number == shard).unwrap();
    let opened = Shard::open(bytes.right.clone()).unwrap();
    frames.map(|frame| (shard, opened.frame_range(frame).unwrap())).collect()
}

/// Returns the ranges that are read to open a shard with this number of frames.
fn of_ends(place: &Place, shard: u32, frames: u64) -> Said {
    let entry = place.manifest.tables.values().next().unwrap();
    ends(frames, entry.shards[shard as usize].bytes).map(|range| (shard, range)).into()
}

/// Returns the table of five piles of up to 64. It has (64^3 + 64^2) / 2 = 133,120 middles, each
/// with a tile of 64^2 bytes. A frame of 64 KiB has 16 tiles, and a shard of 64 MiB has 1024
/// frames. So there are 8320 frames, 128 of them in the ninth shard.
fn wide() -> Table {
    Table::new(games::END_NIM, 64, 5).unwrap()
}

/// A sequential read fetches 512 frames at once. Before that, it fetches the ends of those shards
/// that are not open.
#[test]
fn frames_are_fetched_ahead() {
    let place = Arc::new(zeros(&wide(), &[0, 8]));
    let db = open(&place, LITTLE);
    let stored = &db.tables()[0];
    assert_eq!((stored.frames(), stored.frame_tiles(8319)), (8320, (133_104, 16)));
    let mut bytes = Vec::new();
    assert_eq!(stored.frame(600, &mut bytes).unwrap(), 9600..9616);
    assert!(bytes.len() == 1 << 16 && bytes.iter().all(|&byte| byte == 0));
    assert_eq!(place.wanted(), [of_ends(&place, 0, 1024), frames(&place, 0, 512..1024)]);
    for frame in [512, 1023, 700] {
        stored.frame(frame, &mut bytes).unwrap();
    }
    assert_eq!(place.wanted(), [] as [Said; 0], "it was fetched");
    stored.frame(0, &mut bytes).unwrap();
    assert_eq!(place.wanted(), [vec![], frames(&place, 0, 0..512)], "its shard is open");
    assert_eq!(stored.frame(8319, &mut bytes).unwrap(), 133_104..133_120);
    assert_eq!(place.wanted(), [of_ends(&place, 8, 128), frames(&place, 8, 0..128)]);

    // A failed read of the third run, at the start of the second shard, gives an error.
    place.refuses.store(true, Ordering::Relaxed);
    let error = QueryError::from(stored.frame(1030, &mut bytes).unwrap_err());
    assert!(matches!(error, QueryError::Fetch(_)), "{error}");
    assert_eq!(place.wanted(), [of_ends(&place, 1, 1024)]);
}

#[test]
fn a_local_place_prefetches_nothing() {
    let place = Arc::new(Place { is_remote: false, ..zeros(&wide(), &[8]) });
    let db = open(&place, LITTLE);
    assert!(!db.is_remote());
    let mut bytes = Vec::new();
    db.tables()[0].frame(8200, &mut bytes).unwrap();
    db.prepare(games::END_NIM, &[Position::row(&[1, 1, 1, 1, 1])]).unwrap();
    assert_eq!(place.wanted(), [] as [Said; 0]);
    assert_eq!(*place.within.lock().unwrap(), [] as [f64; 0]);
}

/// For a list of positions, one prefetch opens all shards, and a second prefetch gets all frames.
/// The first middle is 1,1,1 and the last middle is 64,64,64.
#[test]
fn frames_of_many_positions_are_fetched_together() {
    let row = |piles: &[Pile]| Position::row(piles);
    // These positions have a pile that is too large, a wrong length, or no piles.
    let strange = [row(&[65, 1, 1, 1, 1]), row(&[1, 1, 1]), row(&[])];
    let first = [row(&[1, 1, 1, 1, 1]), row(&[64, 1, 1, 1, 2])];
    let last = [row(&[7, 64, 64, 64, 7])];
    let all = [&strange[..], &first, &last].concat();
    for (memory, is_resident) in [(LITTLE, false), (MUCH, true)] {
        let place = Arc::new(zeros(&wide(), &[0, 8]));
        let db = open(&place, memory);
        assert_eq!((db.is_remote(), db.tables()[0].is_resident()), (true, is_resident));
        db.prepare(games::LOOP_END_NIM, &all).unwrap();
        assert_eq!(place.wanted(), [vec![], vec![]]);
        db.prepare(games::END_NIM, &all).unwrap();
        let expected = [
            [of_ends(&place, 0, 1024), of_ends(&place, 8, 128)].concat(),
            [frames(&place, 0, 0..1), frames(&place, 8, 127..128)].concat(),
        ];
        assert_eq!(place.wanted(), expected);
        // The shards are open now.
        db.prepare(games::END_NIM, &last).unwrap();
        assert_eq!(place.wanted(), [vec![], frames(&place, 8, 127..128)]);
        // The frame of this answer is already in memory.
        assert_eq!(db.answer(games::END_NIM, &last[0]).unwrap().value, Some(0));
        db.prepare(games::END_NIM, &all).unwrap();
        assert_eq!(place.wanted(), [vec![], frames(&place, 0, 0..1)]);
        // Each prefetch sets the time limit, and removes it at the end.
        let within = place.within.lock().unwrap();
        assert_eq!(within.len(), 10);
        assert!(within.chunks(2).all(|pair| pair == [60.0, f64::INFINITY]), "{within:?}");
        drop(within);
        place.refuses.store(true, Ordering::Relaxed);
        let error = db.prepare(games::END_NIM, &all).unwrap_err();
        assert!(matches!(error, QueryError::Fetch(_)), "{error}");
    }
}

/// Each cell has sixteen numbers, one for each set of moves. The 2^21 numbers of piles up to 20
/// take 2^17 cells of four bytes, and a frame has 2^14 cells. A pile of 20 with all its moves has
/// the last number.
#[test]
fn frames_of_cells_that_hold_several() {
    let table = Table::new(games::LONG_GLOBAL_NIM, 20, 1).unwrap();
    let place = Arc::new(zeros(&table, &[0]));
    let db = open(&place, LITTLE);
    assert_eq!(db.tables()[0].frames(), 8);
    let positions = ["20", "18", "20{}"].map(|text| games::LONG_GLOBAL_NIM.parse(text).unwrap());
    for (position, frame) in positions.iter().zip([7, 1, 4]) {
        db.prepare(games::LONG_GLOBAL_NIM, std::slice::from_ref(position)).unwrap();
        let wanted = place.wanted();
        assert_eq!(wanted[1], frames(&place, 0, frame..frame + 1), "{position}");
    }
}

/// A shard, alone in its own location. Its table is from a folder.
struct Alone {
    folder: TempDir,
    manifest: Manifest,
    id: String,
    right: Vec<u8>,
}

impl Alone {
    /// The only shard of a location. The shard comes from a table in `folder`.
    fn three() -> Alone {
        let request = Request::new(vec![games::END_NIM, games::LOOP_END_NIM], 9);
        Alone::of(Request { length: Some(3), ..request }, "end-nim/n9/k3")
    }

    fn of(request: Request, id: &str) -> Alone {
        let folder = built(request);
        let manifest = Manifest::read(folder.path()).unwrap().unwrap();
        let right = fs::read(shard(folder.path(), id)).unwrap();
        Alone { folder, manifest, id: id.to_owned(), right }
    }

    fn flipped(&self, at: usize) -> Vec<u8> {
        let mut bytes = self.right.clone();
        bytes[at] ^= 1;
        bytes
    }

    fn frame(&self) -> u64 {
        Shard::open(&self.right).unwrap().frame_range(0).unwrap().start
    }

    fn bytes(&self) -> Bytes {
        Bytes { right: self.right.clone(), ..Bytes::default() }
    }

    /// Returns a location with these bytes as its shard, and the bytes.
    fn place(&self, bytes: Bytes, is_remote: bool) -> (Arc<Place>, Arc<Bytes>) {
        let bytes = Arc::new(bytes);
        let shards = BTreeMap::from([((self.id.clone(), 0), Arc::clone(&bytes))]);
        let manifest = self.manifest.clone();
        (Arc::new(Place { manifest, shards, is_remote, ..Place::default() }), bytes)
    }

    /// Verifies the table. After the shard is opened, its frame can be read `reads` times. The next
    /// read fails, and also stops the check if `is_stopped` is true. The check uses one thread, so
    /// the order of reads is fixed.
    fn verify_until(&self, reads: usize, is_stopped: bool) -> (VerifyReport, Arc<Place>) {
        let control = Arc::new(Control::new());
        let (place, bytes) = self.place(self.bytes(), true);
        let db = open(&place, MUCH);
        table(&db, &self.id).shared_frame(0).unwrap();
        let stop = is_stopped.then(|| Arc::clone(&control));
        *bytes.broken.lock().unwrap() = Some(Break { from: self.frame(), reads, control: stop });
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        (one.install(|| verify(&db, &only(&self.id), &control)), place)
    }
}

fn forgotten(bytes: &Bytes) -> usize {
    bytes.forgotten.load(Ordering::Relaxed)
}

/// Asks for the value of 3,1,3, a P-position whose equal ends differ from its middle pile.
fn ask(db: &Database) -> Result<Option<u32>, QueryError> {
    db.answer(games::END_NIM, [3, 1, 3]).map(|answer| answer.value)
}

/// Damages a shard at the end, which is read when the shard is opened, or in its only frame, or
/// replaces it with another shard. A source that can read again does so once. With other sources
/// the look-up fails.
#[test]
fn damaged_bytes_are_fetched_again() {
    let alone = Alone::three();
    let wrong = [
        alone.flipped(alone.right.len() - 20),
        alone.flipped(alone.frame() as usize + 20),
        fs::read(shard(alone.folder.path(), "loop-end-nim/n9/k3")).unwrap(),
    ];
    let of = |wrong: &[u8]| Bytes { wrong: Mutex::new(Some(wrong.to_vec())), ..alone.bytes() };
    for (case, wrong) in wrong.iter().enumerate() {
        let (place, bytes) = alone.place(Bytes { again: true, ..of(wrong) }, true);
        assert_eq!(ask(&open(&place, MUCH)).unwrap(), Some(0), "case {case}");
        assert_eq!(forgotten(&bytes), 1, "case {case}");
        let (place, bytes) = alone.place(of(wrong), true);
        match (case, ask(&open(&place, MUCH)).unwrap_err()) {
            (0 | 1, QueryError::Damaged { path, .. }) => {
                assert_eq!(path, Path::new("there").join(shard_path(&alone.id, 0)));
            }
            (2, QueryError::Foreign { what: Difference::Table, .. }) => {}
            (_, error) => panic!("case {case}: {error}"),
        }
        assert_eq!(forgotten(&bytes), 1, "case {case}");
    }
    // A source that cannot read again does not retry, even if its bytes would now be right.
    let (place, _) = alone.place(Bytes { heals: true, ..of(&alone.flipped(20)) }, true);
    let error = ask(&open(&place, MUCH)).unwrap_err();
    assert!(matches!(error, QueryError::Damaged { .. }), "{error}");
}

#[test]
fn a_failed_read_is_neither_damage_nor_retried() {
    let alone = Alone::three();
    for is_remote in [true, false] {
        let (place, bytes) = alone.place(Bytes { again: true, ..alone.bytes() }, is_remote);
        let db = open(&place, MUCH);
        let stored = table(&db, &alone.id);
        // Open the shard by a first read of the frame. Then make the frame unreadable.
        assert_eq!(stored.shared_frame(0).unwrap().len(), 9 * 81);
        let broken = Break { from: alone.frame(), reads: 0, control: None };
        *bytes.broken.lock().unwrap() = Some(broken);
        let error = QueryError::from(stored.frame(0, &mut Vec::new()).unwrap_err());
        match (is_remote, &error) {
            (true, QueryError::Fetch(source)) => {
                assert_eq!(source.kind(), io::ErrorKind::TimedOut);
                assert_eq!(error.to_string(), source.to_string());
            }
            (false, QueryError::Damaged { path, .. }) => {
                assert_eq!(*path, Path::new("there").join(shard_path(&alone.id, 0)));
                assert_eq!(error.to_string(), format!("{} is damaged", path.display()));
            }
            (_, error) => panic!("{is_remote} {error:?}"),
        }
        assert_eq!(forgotten(&bytes), 0);
    }
    let place = Place { manifest: alone.manifest, is_remote: true, ..Place::default() };
    let error = ask(&open(&Arc::new(place), MUCH)).unwrap_err();
    let QueryError::Open { path, source } = &error else { panic!("{error}") };
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
    assert_eq!(error.to_string(), format!("cannot open {}", path.display()));
}

/// Many positions are answered in runs of 4096. Each run prefetches the ends of its shards, and
/// then its frames. If a prefetch fails, the error names the first position of its run.
#[test]
fn many_positions_are_fetched_in_runs() {
    let request = Request::new(vec![games::END_NIM], 9);
    let alone = Alone::of(Request { length: Some(2), ..request }, "end-nim/n9/k2");
    let (place, _) = alone.place(alone.bytes(), true);
    let db = open(&place, LITTLE);
    let pairs: Vec<Pile> = (0..5000).flat_map(|at| [at % 9 + 1, at / 9 % 9 + 1]).collect();
    let control = Control::new();
    let found = db.answers(games::END_NIM, 2, &pairs, &control, |answer| answer.value).unwrap();
    // Two piles are Nim.
    assert!(pairs.chunks(2).map(|pair| Some(pair[0] ^ pair[1])).eq(found));
    assert_eq!((place.wanted().len(), control.done()), (4, 5000));
    place.refuses.store(true, Ordering::Relaxed);
    let error = open(&place, LITTLE).answers(games::END_NIM, 2, &pairs, &control, |_| ());
    let error = error.unwrap_err();
    assert!(matches!(*error.error, QueryError::Fetch(_)), "{error}");
    assert!(error.place.is_multiple_of(4096) && error.count == 5000, "{error}");
}

/// If a check is stopped while it reads, its report says so, and lists no damage. The stop occurs
/// during the check of the bytes, or during the derivation of values, which reads the bytes again.
/// The check of records derives all values first, and is stopped after that.
#[test]
fn a_verification_that_is_stopped_while_it_reads() {
    let three = Alone::three();
    let request = Request::new(vec![games::SHORT_GLOBAL_NIM], 1);
    let records = Request { length: Some(1), single: Some(100), ..request };
    let records = Alone::of(records, "short-global-nim/n100/k1");
    for (is_stopped, problems) in [(true, 0), (false, 1)] {
        for (alone, reads, shards, values) in [(&three, 0, 0, 0), (&three, 1, 1, 729)] {
            let (checked, place) = alone.verify_until(reads, is_stopped);
            assert_eq!((checked.shards, checked.values, checked.derived), (shards, values, 0));
            assert_eq!((checked.stopped, checked.problems.len()), (is_stopped, problems));
            let is_told = |problem| matches!(problem, &Problem::Shard(QueryError::Fetch(_)));
            assert!(checked.problems.iter().all(is_told), "{:?}", checked.problems);
            let whole = alone.right.len() as u64;
            assert_eq!(place.wanted(), [vec![(0, 0..whole)]], "all of it, once");
        }
        let (checked, _) = records.verify_until(2, is_stopped);
        assert!(checked.derived > 0 && checked.shards == 0, "{checked:?}");
        assert_eq!((checked.stopped, checked.problems.len()), (is_stopped, problems));
    }
}
