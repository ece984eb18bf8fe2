//! The kernels against slow definitions, and what they take against what is allocated.

mod definition;
mod estimates;
mod levels;
mod nim;
mod oracle;
mod shapes;
mod short_global;
mod subsets;
