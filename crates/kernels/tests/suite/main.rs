//! Compares the kernels with slow definitions, and their estimates with allocations.

mod definition;
mod estimates;
mod levels;
mod nim;
mod oracle;
mod shapes;
mod short_global;
mod subsets;
