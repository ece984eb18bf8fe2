//! Counts whole stored tables, lists them row by row, and verifies them.

use grundy_rules::Game;

#[cfg(feature = "remote")]
pub use grundy_query::is_folder_pack;
pub use grundy_query::{
    Counted, Listing, ManifestError, Problem, RowShape, Rows, ValueCounts, Verification,
    VerifyReport, chosen, is_named, verify,
};
pub use grundy_solvers::read_cells;
pub use grundy_sweep::outcomes::OutcomeCounts;
pub use grundy_sweep::records::RecordCounts;
pub use grundy_sweep::subsets::SetCounts;

/// True if tables of a game store thresholds instead of outcome classes.
pub fn has_thresholds(game: Game) -> bool {
    game.has_thresholds()
}
