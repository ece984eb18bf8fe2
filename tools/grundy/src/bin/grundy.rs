//! The program `grundy`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// musl's own allocator slows long commands by some per cent (docs/PLATFORMS.md).
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    grundy_cli::main(std::env::args_os()).into()
}
