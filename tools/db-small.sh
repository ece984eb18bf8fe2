#!/bin/sh
# Builds every game at a modest size with every instruction set that the machine has, derives
# every value again from the rules, and compares all digests with db/expected. It detects a wrong
# kernel in seconds.
#
#   PROGRAM=target/release/grundy sh tools/db-small.sh
#   ISAS='portable neon' ...       only these instruction sets
set -eu
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# build MAX_PILE LENGTH GAMES
build() {
    "$PROGRAM" build --db "$db" --isa "$isa" --max-pile "$1" --length "$2" --games "$3" \
        >/dev/null 2>"$folder/said" || { cat "$folder/said" >&2; exit 1; }
}

# The games of the registry.
games=$("$PROGRAM" plan --db "$folder" --max-pile 1 --length 1 --json | sed 's/.*"game":"\([^"]*\)".*/\1/')

compared=0
for isa in ${ISAS:-portable avx2 avx512 neon}; do
    db=$folder/$isa
    if ! "$PROGRAM" plan --db "$db" --isa "$isa" --max-pile 1 --length 1 >/dev/null 2>"$folder/said"; then
        # Every other error is a failure.
        grep -q "has no $isa" "$folder/said" || { cat "$folder/said" >&2; exit 1; }
        echo "db-small: this machine has no $isa"
        continue
    fi
    for game in $games; do
        case $game in
            nim | misere-nim | end-nim | misere-end-nim | loop-end-nim | partizan-end-nim)
                build 16 5 "$game" ;;
            short-global-nim)
                "$PROGRAM" build --db "$db" --isa "$isa" --max-pile 260 --length 2 --heap 20000 \
                    --games "$game" >/dev/null 2>&1 ;;
            long-global-nim)
                build 22 1 "$game"
                build 11 3 "$game" ;;
            # The other games have no kernel of their own.
            *) build 12 5 "$game" ;;
        esac
    done
    build 130 3 nim,end-nim,misere-end-nim,loop-end-nim
    "$PROGRAM" build --db "$db" --isa "$isa" --max-pile 12 --length 4 --outcomes >/dev/null 2>&1
    tables=$("$PROGRAM" status --db "$db" --digests | grep -c '"[a-z-]*/n[0-9]*/[kg][0-9]*"')
    printf 'db-small, %s: ' "$isa"
    "$PROGRAM" verify --db "$db" --isa "$isa" --full --against db/expected/digests.json \
        2>/dev/null | tee "$folder/said"
    # Without this count, a table without an expected digest would pass.
    grep -q "^$tables tables.* $tables digests as expected; no problems" "$folder/said" || {
        echo "db-small: expected $tables tables, each with its digest in db/expected" >&2
        exit 1
    }
    compared=$((compared + 1))
done
test "$compared" -gt 0 || { echo "db-small: this machine has none of the instruction sets" >&2; exit 1; }
