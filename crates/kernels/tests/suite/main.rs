//! Compares the kernels with slow definitions, and their estimates with allocations.

mod definition;
mod estimates;
mod levels;
mod nim;
mod oracle;
#[path = "../../../testing/src/random.rs"]
pub mod random;
mod shapes;
mod short_global;
mod subsets;
