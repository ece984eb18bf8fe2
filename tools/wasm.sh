#!/bin/sh
# Checks that the explorer and the crates that it needs compile for wasm32-unknown-unknown, which has
# no threads, clock and files, and no surveyors of tables. `make explorer-test` runs them in a browser.
#
# If the target cannot be installed, it prints this and skips the rest; with CI=true it fails.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
cargo=${CARGO:-cargo}

# without THING: skips the rest, or fails.
without() {
    echo "wasm: $1 is missing; the rest is skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
}

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    command -v rustup >/dev/null 2>&1 || without "the target $target, and rustup to install it,"
    echo "wasm: installing the target $target" >&2
    sh tools/alone.sh rustup target add "$target" || without "the target $target, which cannot be installed,"
fi
echo "==> compiling for $target"
"$cargo" check --quiet --target "$target" --lib \
    -p grundy-language -p grundy-rules -p grundy-kernels -p grundy-sweep -p grundy-solvers -p grundy-questions \
    -p grundy-explorer
