#!/bin/sh
# Has Coq check docs/proofs: the proofs, that they prove what docs/proofs/statements.v says word for word, and
# that nothing in them is assumed.
#
#   sh tools/proofs.sh [OUT]      the compiled proofs go to OUT (target/proofs)
#
# Exit status 3: there is no Coq here.
set -eu
cd "$(dirname "$0")/.."

out=${1:-${CARGO_TARGET_DIR:-target}/proofs}
for program in coqc coqchk; do
    command -v $program >/dev/null 2>&1 || {
        echo "proofs: there is no $program (Debian, Ubuntu: apt-get install coq)" >&2
        exit 3
    }
done
mkdir -p "$out"
cp docs/proofs/families.v docs/proofs/statements.v "$out"
cd "$out"
for name in families statements; do
    coqc -q "$name.v" || {
        echo "proofs: docs/proofs/$name.v does not go through" >&2
        exit 1
    }
done
# A program of its own reads what was compiled, and lists all that is assumed anywhere in it.
summary=$(coqchk -silent -o families statements 2>&1) || {
    printf '%s\n' "$summary" >&2
    echo "proofs: coqchk does not accept what coqc made of docs/proofs" >&2
    exit 1
}
assumed=$(printf '%s\n' "$summary" | grep -E '^\* ' | grep -vE '<none>$|^\* Theory: Set is predicative$' || true)
if ! printf '%s\n' "$summary" | grep -q '^\* Axioms: <none>$' || [ -n "$assumed" ]; then
    printf '%s\n' "$summary" >&2
    echo "proofs: docs/proofs rests on something that is not proved" >&2
    exit 1
fi
echo "docs/proofs/statements.v: $(grep -c '^Theorem' statements.v) theorems, nothing assumed"
