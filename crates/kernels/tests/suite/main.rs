//! The kernels against slow definitions, and their estimates against allocations.

mod definition;
mod estimates;
mod levels;
mod nim;
mod oracle;
mod shapes;
mod short_global;
mod subsets;
