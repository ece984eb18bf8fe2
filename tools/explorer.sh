#!/bin/sh
# Assembles the explorer in $OUT: the crates as WebAssembly, the page, the findings. `make explorer`
# calls it. It needs the target wasm32-unknown-unknown, which rustup installs. (wasm-opt would make
# the crates 13 per cent smaller, but not the compressed page.)
#
# Exits with 3 if the target is missing and cannot be installed.
set -eu
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
cargo=${CARGO:-cargo}
folder=${CARGO_TARGET_DIR:-target}
out=${OUT:-$folder/explorer}
# The largest number of bytes of the compressed page.
most=535000

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    if ! command -v rustup >/dev/null 2>&1; then
        echo "explorer: there is no target $target for this Rust, and no rustup to install it;" >&2
        echo "  install Rust from https://rustup.rs, or the package of your system for that target" >&2
        exit 3
    fi
    echo "explorer: installing the target $target" >&2
    rustup target add "$target" || { echo "explorer: it cannot be installed" >&2; exit 3; }
fi
echo "==> compiling the crates for the browser"
# Incremental compilation would make the code larger.
# The page must not contain the paths of packages on this machine, which would also enlarge it.
CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=" \
    CARGO_INCREMENTAL=0 "$cargo" build --quiet --profile page --target "$target" -p grundy-explorer

fresh=$out.fresh
rm -rf "$fresh"
mkdir -p "$fresh"
cp tools/explorer/page/* "$fresh/"
# Lines with only a comment are left out.
for script in "$fresh"/*.js; do
    grep -v '^ *// ' "$script" >"$script.short"
    mv "$script.short" "$script"
done
cp docs/FINDINGS.md "$fresh/findings.md"
cp "$folder/$target/page/grundy_explorer.wasm" "$fresh/grundy.wasm"
rm -rf "$out"
mv "$fresh" "$out"

bytes=$(cat "$out"/* | gzip -9 | wc -c)
echo "==> $out/: $(ls "$out" | wc -l) files, $bytes bytes packed (at most $most)"
if [ "$bytes" -gt "$most" ]; then
    echo "explorer: that is too much for a page" >&2
    exit 1
fi
