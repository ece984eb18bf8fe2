#!/bin/sh
# Compiles the crates that a page in a browser needs (language, rules, kernels, sweep, solvers and questions)
# for wasm32-unknown-unknown, and runs an example in Node, without threads, clock and files.
#
# If the target cannot be installed, or Node is missing, it prints this and skips the rest; with CI=true
# it fails.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
cargo=${CARGO:-cargo}
folder=${CARGO_TARGET_DIR:-target}

# without THING: skips the rest, or fails.
without() {
    echo "wasm: $1 is missing; the rest is skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
}

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    command -v rustup >/dev/null 2>&1 || without "the target $target, and rustup to install it,"
    echo "wasm: installing the target $target" >&2
    rustup target add "$target" || without "the target $target, which cannot be installed,"
fi
echo "==> compiling for $target"
"$cargo" build --quiet --target "$target" --lib \
    -p grundy-language -p grundy-rules -p grundy-kernels -p grundy-sweep -p grundy-solvers -p grundy-questions
"$cargo" build --quiet --target "$target" -p grundy-solvers --example browser

command -v node >/dev/null 2>&1 || without "Node"
# A wrong value causes a panic, which is an exception in Node.
node --eval '
const bytes = require("node:fs").readFileSync(process.argv[1]);
WebAssembly.instantiate(bytes).then(({ instance }) => {
    if (instance.exports.main(0, 0) !== 0) throw new Error("the example reports an error");
    console.log("==> the example in Node computes the expected values");
}).catch((error) => { console.error(error); process.exit(1); });
' "$folder/$target/debug/examples/browser.wasm"
