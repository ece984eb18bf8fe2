#!/bin/sh
# Checks docs/proofs with Coq: the proofs are valid, prove exactly the statements in
# docs/proofs/statements.v, and assume nothing. Then translates the proved checkers of certificates
# into a program, and tests it with certificates that $GRUNDY makes.
#
#   GRUNDY=PROGRAM sh tools/proofs.sh [OUT]   the compiled proofs and the program `check` go to OUT
#                                             (target/proofs)
#
# Exits with 3 if Coq or the compiler of OCaml is missing.
set -eu
cd "$(dirname "$0")/.."

out=${1:-${CARGO_TARGET_DIR:-target}/proofs}
for program in coqc coqchk; do
    command -v $program >/dev/null 2>&1 || {
        echo "proofs: $program is missing (Debian, Ubuntu: apt-get install coq)" >&2
        exit 3
    }
done
proofs=$PWD/docs/proofs
mkdir -p "$out"
files='families lengths boxes conjecture rows tiles words statements'
for name in $files; do
    cp "$proofs/$name.v" "$out"
done
cd "$out"
for name in $files; do
    coqc -q "$name.v" || {
        echo "proofs: Coq rejects docs/proofs/$name.v" >&2
        exit 1
    }
done
# A separate program reads the compiled proofs, and lists all assumptions in them.
summary=$(coqchk -silent -o $files 2>&1) || {
    printf '%s\n' "$summary" >&2
    echo "proofs: coqchk rejects the compiled proofs of docs/proofs" >&2
    exit 1
}
assumed=$(printf '%s\n' "$summary" | grep -E '^\* ' | grep -vE '<none>$|^\* Theory: Set is predicative$' || true)
if ! printf '%s\n' "$summary" | grep -q '^\* Axioms: <none>$' || [ -n "$assumed" ]; then
    printf '%s\n' "$summary" >&2
    echo "proofs: docs/proofs uses unproved assumptions" >&2
    exit 1
fi
echo "docs/proofs/statements.v: $(grep -c '^Theorem' statements.v) theorems, nothing assumed"

if ! ocamlfind ocamlopt -version >/dev/null 2>&1 || ! ocamlfind query zarith >/dev/null 2>&1; then
    echo "proofs: the proved checkers are not tested, because OCaml or its library Zarith is missing" \
        "(Debian, Ubuntu: apt-get install ocaml libzarith-ocaml-dev)" >&2
    exit 3
fi
cp "$proofs/extract.v" "$proofs/check.ml" .
coqc -q extract.v
ocamlfind ocamlopt -w -a -package zarith,unix -linkpkg checkers.mli checkers.ml check.ml -o check
python3 "$proofs/tests/certificates.py" "$GRUNDY" ./check
