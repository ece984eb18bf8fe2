#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod band;
mod games;
mod lane;
pub mod laws;
mod lines;
mod look_ups;
mod lower;
mod machine;
mod names;
mod options;
mod position_context;
mod positions;
mod program;
mod question;
mod range;
mod section;
mod sets;
mod sparse;
mod steps;
mod values;
mod worker;

pub use games::ReadGame;
pub use grundy_language::{Problem, Span, Undefined, ValueError};
pub use positions::{Places, Tile};
pub use program::LookupRange;
pub use question::{Quantity, Question, reprinted};
pub use values::{Cells, Dense, FillTile, Tiles, Values};
pub use worker::{Column, Prepared, Show, Worker};
