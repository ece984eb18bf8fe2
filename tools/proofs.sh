#!/bin/sh
# Has Coq check docs/proofs/*.v. What they prove must rest on nothing but the rules they write down: each
# file ends with Print Assumptions, and whatever that prints but "Closed under the global context" is refused,
# and so is a proof that was given up.
#
#   sh tools/proofs.sh [OUT]      the compiled proofs go to OUT (target/proofs)
#
# Exit status 3: there is no Coq here.
set -eu
cd "$(dirname "$0")/.."

out=${1:-${CARGO_TARGET_DIR:-target}/proofs}
command -v coqc >/dev/null 2>&1 || {
    echo "proofs: there is no coqc (Debian, Ubuntu: apt-get install coq)" >&2
    exit 3
}
mkdir -p "$out"
for file in docs/proofs/*.v; do
    cp "$file" "$out"
    said=$(cd "$out" && coqc -q "$(basename "$file")" 2>&1) || {
        printf '%s\n' "$said" >&2
        echo "proofs: $file does not go through" >&2
        exit 1
    }
    asked=$(grep -c '^Print Assumptions' "$file" || true)
    closed=$(printf '%s\n' "$said" | grep -c '^Closed under the global context$' || true)
    lines=$(printf '%s\n' "$said" | grep -c . || true)
    if [ "$asked" = 0 ] || [ "$closed" != "$asked" ] || [ "$lines" != "$asked" ] || grep -qwE 'Admitted|admit|Axiom' "$file"; then
        printf '%s\n' "$said" >&2
        echo "proofs: $file rests on something that is not proved" >&2
        exit 1
    fi
    echo "$file: $asked theorems, nothing assumed"
done
