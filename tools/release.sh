#!/bin/sh
# Makes a release of tables for publication, and tests the release as its users would.
#
#   PROGRAM=target/release/grundy PYTHON=.venv/bin/python3 OUT=release sh tools/release.sh
#
# 1. Builds every game up to MAXPILE (64) and LENGTH (4) piles, partizan End-Nim with one pile more, and
#    a certificate of the conjecture to CERTIFICATE (1500), in a database below $OUT. A second run
#    reuses them.
# 2. Packs tables and certificate, signed if KEY is a secret key; PUBKEY is its public key.
# 3. Unpacks the pack into an empty folder and checks every digest, every value again by the rules,
#    look-ups, and the metadata with the programs of archives.
#
# Only a pack that passes everything gets the name $OUT/NAME.tar. It may have at most MOST bytes (100 MB).
set -eu
cd "$(dirname "$0")/.."

MAXPILE=${MAXPILE:-64}
LENGTH=${LENGTH:-4}
CERTIFICATE=${CERTIFICATE:-1500}
HEAP=${HEAP:-}
KEY=${KEY:-}
PUBKEY=${PUBKEY:-}
MOST=${MOST:-100000000}
NAME=${NAME:-grundy-tables-n$MAXPILE}
db=$OUT/n$MAXPILE-k$LENGTH
tar=$OUT/$NAME.tar
tried=$OUT/untried-$NAME.tar
proof=$OUT/conj34-$CERTIFICATE.cert
record=$OUT/record-n$MAXPILE-k$LENGTH.jsonl

stop() {
    echo "release: $*" >&2
    exit 1
}

# number NAME VALUE LEAST MOST
number() {
    case $2 in '' | 0* | *[!0-9]* | ??????*) stop "$1 is '$2', which is not a number" ;; esac
    [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || stop "$1 is $2, which is not from $3 to $4"
}

# The look-ups below have three piles of up to 4.
number MAXPILE "$MAXPILE" 4 4096
number LENGTH "$LENGTH" 3 7
number CERTIFICATE "$CERTIFICATE" 3 60000
[ -z "$KEY" ] || [ -n "$PUBKEY" ] || stop "KEY is set, but PUBKEY is not; it is needed to check the signature"
[ -z "$PUBKEY" ] || [ -n "$KEY" ] || stop "PUBKEY is set, but KEY is not; it is needed to sign"

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$tried"' EXIT
# Otherwise a signal would end the script without running the trap above.
trap 'exit 130' INT
trap 'exit 143' TERM

# build OPTIONS: builds, and appends the output about new tables to the record.
build() {
    "$PROGRAM" build --db "$db" --max-pile "$MAXPILE" ${HEAP:+--heap "$HEAP"} --json "$@" \
        >>"$record"
}

echo "==> tables of every game up to piles of $MAXPILE, in $db"
mkdir -p "$OUT"
if [ ! -e "$record" ]; then
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 | tr -d '"\\')
    printf '{"system":"%s","cpu":"%s","threads":%s}\n' "$(uname -sm)" "$cpu" \
        "$(getconf _NPROCESSORS_ONLN)" >"$record"
fi
build --length "$LENGTH"
build --length $((LENGTH + 1)) --games partizan-end-nim
echo "==> a certificate of the triangular-number conjecture to n = $CERTIFICATE"
"$PROGRAM" diff lgn.conj34 --to "$CERTIFICATE" --certificate "$proof" >/dev/null

echo "==> packing $tar"
rm -f "$tried"
"$PROGRAM" pack --db "$db" -o "$tried" --certificate "$proof" --record "$record" \
    ${KEY:+--sign "$KEY"}
bytes=$(wc -c <"$tried")
[ "$bytes" -le "$MOST" ] || stop "the pack has $bytes bytes, more than MOST=$MOST"

echo "==> testing the pack"
"$PROGRAM" verify "$tried" ${PUBKEY:+--pubkey "$PUBKEY"}
"$PROGRAM" unpack "$tried" --db "$folder/copy" ${PUBKEY:+--pubkey "$PUBKEY"} >/dev/null
"$PROGRAM" verify --db "$folder/copy" --full
"$PROGRAM" status --db "$db" --digests >"$folder/digests.json"
"$PROGRAM" verify --db "$folder/copy" --against "$folder/digests.json" >/dev/null
"$PROGRAM" verify --certificate "$folder/copy/conj34.cert"
# Looks up in every game, with tables and without.
mkdir -p "$folder/nothing"
games=$("$PROGRAM" plan --db "$folder" --max-pile 1 --length 1 --json |
    sed 's/.*"game":"\([^"]*\)".*/\1/')
for asked in $(printf '%s/4,1,3\n' $games) "long-global-nim/4{1,3,4}"; do
    asked="${asked%%/*} ${asked#*/}"
    for place in copy nothing; do
        # shellcheck disable=SC2086 # a game and a position
        "$PROGRAM" query $asked --db "$folder/$place" --json >"$folder/$place.json"
    done
    grep -q '"source":"table"' "$folder/copy.json" || stop "$asked is in no table"
    with=$(sed 's/"source":"[a-z]*"//' "$folder/copy.json")
    without=$(sed 's/"source":"[a-z]*"//' "$folder/nothing.json")
    test "$with" = "$without" || stop "$asked: $with with tables, but $without without tables"
done
tar -xf "$tried" -C "$folder"
tables=$folder/grundy-tables
(cd "$tables" && sha256sum --quiet -c SHA256SUMS)
"$PYTHON" "$tables/read_shard.py" "$tables/pack.json" "end-nim/n$MAXPILE/k3" 3,1,4 | grep -qx "3,1,4 7" ||
    stop "the Python reader does not find the value 7 of 3,1,4 in End-Nim"
if [ -n "$KEY" ] && command -v minisign >/dev/null 2>&1; then
    minisign -Vq -m "$tables/pack.json" -p "$PUBKEY" || stop "minisign refuses the signature"
fi
for citation in CITATION.cff "$tables/CITATION.cff"; do
    "$(dirname "$PYTHON")/cffconvert" --validate -i "$citation" >"$folder/said" 2>&1 ||
        stop "$citation is not valid: $(cat "$folder/said")"
done
# The validator of RO-Crate reads its profiles from the network; the library needs only the files.
"$PYTHON" - "$tables" <<'PYTHON'
import os
import sys

from rocrate.rocrate import ROCrate

folder = sys.argv[1]
crate = ROCrate(folder)
listed = {part.id: part for part in crate.root_dataset["hasPart"]}
there = set(os.listdir(folder))
# The content of these files depends on the metadata, so the metadata cannot list them.
apart = {"ro-crate-metadata.json", "SHA256SUMS", "B3SUMS", "pack.json.minisig"}
assert set(listed) == there - apart, (set(listed) ^ there) - apart
for name, part in listed.items():
    size = part.get("contentSize")
    assert size is None or int(size) == os.path.getsize(os.path.join(folder, name)), name
assert "publicdomain/zero" in crate.root_dataset["license"].id
print(f"ro-crate-metadata.json lists the {len(listed)} files correctly")
PYTHON
mv -f "$tried" "$tar"
echo "release: $tar, $bytes bytes, was unpacked, verified and read"
