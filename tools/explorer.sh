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
# The largest compressed size of the files of the first game, in bytes: about 275,000 with brotli. Other files are loaded when needed.
most=355000
# The files that are kept with those: the game loads them after its first moves.
later="rounds.js"
first="index.html style.css games.txt file.js main.js lessons.js dom.js engine.js games.js asked.js view.js play.js board.js worker.js grundy.wasm"

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    if ! command -v rustup >/dev/null 2>&1; then
        echo "explorer: the target $target is missing, and so is rustup, which could install it;" >&2
        echo "  install Rust from https://rustup.rs, or the package of your system for that target" >&2
        exit 3
    fi
    echo "explorer: installing the target $target" >&2
    sh tools/alone.sh rustup target add "$target" || { echo "explorer: cannot install the target $target" >&2; exit 3; }
fi
fresh=$out.fresh
rm -rf "$fresh"
mkdir -p "$fresh"
# compile MODULE [OPTION]...: the crates as WebAssembly.
# Incremental compilation would make the code larger.
# The page must not contain the paths of packages on this machine, which would also enlarge it.
compile() {
    module=$1
    shift
    echo "==> compiling the crates for the browser: $module"
    CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=" \
        CARGO_INCREMENTAL=0 "$cargo" build --quiet --profile page --target "$target" -p grundy-explorer "$@"
    cp "$folder/$target/page/grundy_explorer.wasm" "$fresh/$module"
}
compile grundy.wasm
# Statements and games of the user need a second module, which is loaded only for them.
compile whole.wasm --features rule-files
cp tools/explorer/page/* "$fresh/"
# Lines with only a comment are left out.
for script in "$fresh"/*.js; do
    grep -v '^ *// ' "$script" >"$script.short"
    mv "$script.short" "$script"
done
cp docs/FINDINGS.md "$fresh/findings.md"
# The rulesets, with their titles, in the order of these.
for rules in games/*.game; do
    printf '%s\t%s\n' "$(sed -n 's/^name: //p' "$rules")" "$(sed -n 's/^title: //p' "$rules")"
done | LC_ALL=C sort -f -t "$(printf '\t')" -k 2 >"$fresh/games.txt"
# Messengers show the preview only if its address is complete. SITE is the address of the page's folder.
if [ -n "${SITE:-}" ]; then
    sed -i.old "s|content=\"preview.png\"|content=\"${SITE%/}/preview.png\"|" "$fresh/index.html"
    rm "$fresh/index.html.old"
fi
# The service worker lists all files and has a digest of their contents, so it changes with every file.
files=$(cd "$fresh" && ls | grep -v -e '^keep.js$' -e '^preview.png$' | sed 's/.*/"&"/' | paste -s -d , -)
digest=$(cat "$fresh"/* | cksum | tr ' ' -)
sed -i.old "s/\"FILES\"/$files/; s/\"FIRST\"/$(echo "\"$first $later\"" | sed 's/ /","/g')/; s/DIGEST/$digest/" "$fresh/keep.js"
rm "$fresh/keep.js.old"
rm -rf "$out"
mv "$fresh" "$out"

# packed FILES: their total size if each is compressed, as servers send them.
packed() {
    for file in "$@"; do gzip -9 <"$out/$file"; done | wc -c
}
# shellcheck disable=SC2086
bytes=$(packed $first)
all=$(cd "$out" && ls)
# shellcheck disable=SC2086
echo "==> $out/: $(ls "$out" | wc -l) files, $(packed $all) bytes compressed; the first game needs $bytes bytes (limit $most)"
if [ "$bytes" -gt "$most" ]; then
    echo "explorer: the files of the first game are too large; their limit is $most bytes" >&2
    exit 1
fi
