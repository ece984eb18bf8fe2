//! A remote database: frames are prefetched for many positions at once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy::{Control, Database, Limits, Pile, games, nim_sum};
use grundy_query::{Location, QueryError, ShardBytes, ShardRange};
use grundy_shard::manifest::{Manifest, ShardEntry, shard_path};

use crate::common::built;

/// A folder that counts its prefetches.
#[derive(Debug)]
struct Far {
    folder: PathBuf,
    wants: AtomicUsize,
    is_broken: bool,
}

impl Location for Far {
    fn path(&self) -> &Path {
        &self.folder
    }

    fn manifest(&self) -> Result<Option<Manifest>, QueryError> {
        Ok(Manifest::read(&self.folder)?)
    }

    fn shard(&self, table: &str, shard: u32, _: &ShardEntry) -> io::Result<ShardBytes> {
        Ok(ShardBytes::new(std::fs::read(self.folder.join(shard_path(table, shard)))?))
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn want(&self, _: &[ShardRange]) -> io::Result<()> {
        self.wants.fetch_add(1, Ordering::Relaxed);
        if self.is_broken { Err(io::ErrorKind::NotConnected.into()) } else { Ok(()) }
    }
}

fn far(folder: &Path, is_broken: bool) -> (Arc<Far>, Database) {
    let far = Arc::new(Far { folder: folder.to_owned(), wants: AtomicUsize::new(0), is_broken });
    let database = Database::open_at(far.clone(), Limits::default()).unwrap();
    (far, database)
}

/// 5000 pairs, a run of 4096 and one of the rest. Each prefetches ends of shards, then frames.
#[test]
fn many_are_fetched_together() {
    let (folder, _near) = built(games::END_NIM, 9, 2);
    let (place, database) = far(folder.path(), false);
    assert_eq!(database.tables().len(), 2);
    let pairs: Vec<Pile> = (0..5000).flat_map(|at| [at % 9 + 1, at / 9 % 9 + 1]).collect();
    let control = Control::new();
    let found = database.answers(games::END_NIM, 2, &pairs, &control, |answer| answer.value);
    // Two piles are Nim.
    let expected: Vec<Option<u32>> = pairs.chunks(2).map(|pair| Some(nim_sum(pair))).collect();
    assert_eq!(found.unwrap(), expected);
    assert_eq!((place.wants.load(Ordering::Relaxed), control.done()), (4, 5000));
    // A failed prefetch is reported with the first position of its run.
    let (_, broken) = far(folder.path(), true);
    let error = broken.answers(games::END_NIM, 2, &pairs, &control, |_| ()).unwrap_err();
    assert!(matches!(*error.error, QueryError::Fetch(_)), "{error}");
    assert!(error.place % 4096 == 0 && error.count == 5000, "{error}");
    // Without piles there is nothing to answer.
    let none = database.answers(games::END_NIM, 0, &[], &control, |_| ());
    assert!(none.unwrap().is_empty());
}
