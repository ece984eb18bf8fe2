#!/bin/sh
# Adds a game by the steps in CONTRIBUTING.md: copies the sources, adds the document's rule file, its line
# of Python and its id, and runs the tests of all games. `make test` calls this script.
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
for named in $(echo "$section" | grep -o '`\(crates\|db\|docs\|games\|tools\)/[a-z_./-]*`' | tr -d '`'); do
    [ -e "$named" ] || [ "$named" = games/short-end-nim.game ] ||
        stop "CONTRIBUTING.md names $named, which does not exist"
done

rm -rf "$out"
mkdir -p "$out"
git ls-files -z --cached --others --exclude-standard -- '*.toml' '*.lock' '*.rs' '*.md' crates tools |
    xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C "$out"
# block LANGUAGE: the block of the section in this language.
block() {
    echo "$section" | sed -n '/^ *```'"$1"'/,/^ *```$/p' | sed '/```/d; s/^   //'
}
block game >"$out/crates/rules/games/short-end-nim.game"
# insert FILE PATTERN LINE: writes a line below the line of this pattern.
insert() {
    awk -v line="$3" -v place="$2" '{ print } $0 ~ place { print line; found = 1 } END { exit !found }' \
        "$out/$1" >"$out/inserted" || stop "the place for the line is not found in $1"
    mv "$out/inserted" "$out/$1"
}
insert crates/rules/tests/rulesets.py '^GAMES = {' "    $(block python)"
insert crates/rules/tests/suite/identities.txt '^# rulesets' "$(block text)"

echo "==> adding a game by the steps of CONTRIBUTING.md"
# Without optimisation the parser needs more stack for the deepest statement than a test thread has.
RUST_MIN_STACK=8388608 CARGO_TARGET_DIR=$out/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_OPT_LEVEL=0 "$cargo" test --quiet --locked \
    --manifest-path "$out/Cargo.toml" -p grundy-rules --lib --tests
rm -rf "$out"
