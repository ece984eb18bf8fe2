#!/bin/sh
# Adds a game by the steps in CONTRIBUTING.md: copies the sources, adds the document's example and the
# line of the registry, and runs the tests of all games. `make test` calls this script.
#
#   OUT=target/new-game sh tools/new-game.sh
set -eu
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
out=${OUT:-${CARGO_TARGET_DIR:-target}/new-game}
section=$(sed -n '/^## Adding a game/,/^## Adding an instr/p' CONTRIBUTING.md)

stop() {
    echo "new-game: $*" >&2
    exit 1
}

# The files that the steps name.
for named in $(echo "$section" | grep -o '`\(crates\|db\|docs\|tools\)/[a-z_./]*`' | tr -d '`'); do
    [ -e "$named" ] || [ "$named" = crates/rules/src/games/short_end_nim.rs ] ||
        stop "CONTRIBUTING.md names $named, which does not exist"
done

rm -rf "$out"
mkdir -p "$out"
git ls-files -z --cached --others --exclude-standard -- '*.toml' '*.lock' '*.rs' '*.md' crates tools |
    xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C "$out"
echo "$section" | sed -n '/^ *```rust/,/^ *```$/p' | sed '/```/d; s/^   //' \
    >"$out/crates/rules/src/games/short_end_nim.rs"
line=$(echo "$section" | grep -o 'SHORT_END_NIM: short_end_nim::ShortEndNim,') ||
    stop "CONTRIBUTING.md has no line for the registry"
games=$out/crates/rules/src/games.rs
sed "s/^    LONG_GLOBAL_NIM: .*/&\n    $line/" "$games" >"$games.new"
mv "$games.new" "$games"
grep -q "$line" "$games" || stop "the place for the line is not found in crates/rules/src/games.rs"

echo "==> adding a game by the steps of CONTRIBUTING.md"
rustfmt --edition 2024 --check "$out/crates/rules/src/games/short_end_nim.rs"
# Without optimisation the parser needs more stack for the deepest statement than a test thread has.
RUST_MIN_STACK=8388608 CARGO_TARGET_DIR=$out/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_OPT_LEVEL=0 "$cargo" test --quiet --locked \
    --manifest-path "$out/Cargo.toml" -p grundy-rules --lib --tests
rm -rf "$out"
