//! What the tests of this crate share.

use std::path::Path;

use grundy_builder::Request;
use grundy_query::Database;
use grundy_testing::database::built;
use tempfile::TempDir;

pub(crate) fn open(folder: &Path) -> Database {
    Database::open(folder).unwrap()
}

pub(crate) fn database(request: Request) -> (TempDir, Database) {
    let folder = built(request);
    let opened = open(folder.path());
    (folder, opened)
}
