//! Helpers for the tests of this crate.

use std::path::Path;

use grundy_builder::Request;
use grundy_query::{
    Database, Problem, QueryError, StoredTable, Verification, VerifyReport, verify,
};
use grundy_sweep::Control;
use grundy_testing::database::built;
use tempfile::TempDir;

pub(crate) const QUICK: Verification = Verification::sampled();
pub(crate) const FULL: Verification = Verification::full();

pub(crate) fn open(folder: &Path) -> Database {
    Database::open(folder).unwrap()
}

pub(crate) fn database(request: Request) -> (TempDir, Database) {
    let folder = built(request);
    let opened = open(folder.path());
    (folder, opened)
}

pub(crate) fn table<'a>(db: &'a Database, id: &str) -> &'a StoredTable {
    db.tables().iter().find(|stored| stored.table().to_string() == id).unwrap()
}

/// Returns a sampled check of the tables with these ids.
pub(crate) fn only(ids: &str) -> Verification {
    Verification { tables: vec![ids.to_owned()], ..QUICK }
}

pub(crate) fn checked(db: &Database, how: &Verification) -> VerifyReport {
    verify(db, how, &Control::new())
}

#[track_caller]
pub(crate) fn sound(db: &Database, how: &Verification) -> VerifyReport {
    let checked = checked(db, how);
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    checked
}

/// Returns the report of a check. Its only problem must be the damaged file of one shard.
#[track_caller]
pub(crate) fn damaged(db: &Database, how: &Verification, shard: &Path) -> VerifyReport {
    let checked = checked(db, how);
    match &checked.problems[..] {
        [Problem::Shard(QueryError::Damaged { path, .. })] => assert_eq!(path, shard),
        problems => panic!("{problems:?}"),
    }
    checked
}
