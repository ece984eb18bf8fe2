#!/bin/sh
# Makes a release of tables that can be published, and tries it as those would who fetch it.
#
#   PROGRAM=target/release/grundy PYTHON=.venv/bin/python3 OUT=release sh tools/release.sh
#
# Builds every game up to MAXPILE (64) and as many piles as LENGTH (4), partizan End-Nim with one
# more, and a certificate of the conjecture to CERTIFICATE (1500) in $OUT/db, all of which a second
# run finds done; writes $OUT/NAME.tar, signed with the secret key KEY if there is one; then unpacks
# that into an empty folder and looks: every digest, every value of short tables by the rules,
# look-ups, and the metadata with the programs of archives. PUBKEY is the public key to KEY.
#
# At the end it says what there is. A release that fails leaves no tar of that name.
set -eu
cd "$(dirname "$0")/.."

MAXPILE=${MAXPILE:-64}
LENGTH=${LENGTH:-4}
CERTIFICATE=${CERTIFICATE:-1500}
HEAP=${HEAP:-}
NAME=${NAME:-grundy-tables-n$MAXPILE}
db=$OUT/db
tar=$OUT/$NAME.tar
proof=$OUT/conj34-$CERTIFICATE.cert
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

stop() {
    echo "release: $*" >&2
    exit 1
}

# build OPTIONS: what it says of tables that were not there yet goes to the record.
build() {
    "$PROGRAM" build --db "$db" --max-pile "$MAXPILE" ${HEAP:+--heap "$HEAP"} --json "$@" \
        >>"$OUT/record.jsonl"
}

echo "==> tables of every game up to piles of $MAXPILE, in $db"
mkdir -p "$OUT"
if [ ! -e "$OUT/record.jsonl" ]; then
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    printf '{"system":"%s","cpu":"%s","threads":%s}\n' "$(uname -sm)" "$cpu" \
        "$(getconf _NPROCESSORS_ONLN)" >"$OUT/record.jsonl"
fi
build --length "$LENGTH"
build --length $((LENGTH + 1)) --games partizan-end-nim
echo "==> a certificate of the triangular-number conjecture to n = $CERTIFICATE"
"$PROGRAM" diff lgn.conj34 --to "$CERTIFICATE" --certificate "$proof" >/dev/null

echo "==> packing $tar"
rm -f "$tar"
"$PROGRAM" pack --db "$db" -o "$tar" --certificate "$proof" --record "$OUT/record.jsonl" \
    ${KEY:+--sign "$KEY"}
trap 'rm -rf "$folder"; test "${fine:-}" = yes || rm -f "$tar"' EXIT

echo "==> trying it"
"$PROGRAM" verify "$tar" ${PUBKEY:+--pubkey "$PUBKEY"}
"$PROGRAM" unpack "$tar" --db "$folder/copy" ${PUBKEY:+--pubkey "$PUBKEY"} >/dev/null
"$PROGRAM" verify --db "$folder/copy" --full
"$PROGRAM" status --db "$db" --digests >"$folder/digests.json"
"$PROGRAM" verify --db "$folder/copy" --against "$folder/digests.json" >/dev/null
"$PROGRAM" verify --certificate "$folder/copy/conj34.cert"
# A look-up, and the same without any tables.
for game in end-nim misere-end-nim loop-end-nim partizan-end-nim end-wythoff nim misere-nim \
    short-global-nim; do
    position=$(awk -v n="$MAXPILE" 'BEGIN { srand(); printf "%d", 1 + n * rand();
        for (k = 2; k <= 3; k++) printf ",%d", 1 + n * rand() }')
    for place in copy nothing; do
        "$PROGRAM" query "$game" "$position" --db "$folder/$place" --json >"$folder/$place.json"
    done
    grep -q '"source":"table"' "$folder/copy.json" || stop "$game $position is in no table"
    with=$(sed 's/"source":"[a-z]*"//' "$folder/copy.json")
    without=$(sed 's/"source":"[a-z]*"//' "$folder/nothing.json")
    test "$with" = "$without" || stop "$game $position: $with with tables, $without without"
done
tar -xf "$tar" -C "$folder"
tables=$folder/grundy-tables
(cd "$tables" && sha256sum --quiet -c SHA256SUMS)
"$PYTHON" "$tables/read_shard.py" "$tables/pack.json" "end-nim/n$MAXPILE/k3" 3,1,4 >/dev/null
if [ -n "${KEY:-}" ] && command -v minisign >/dev/null 2>&1; then
    minisign -Vq -m "$tables/pack.json" -p "$PUBKEY" || stop "minisign refuses the signature"
fi
for citation in CITATION.cff "$tables/CITATION.cff"; do
    "$(dirname "$PYTHON")/cffconvert" --validate -i "$citation" >"$folder/said" 2>&1 ||
        stop "$citation is not valid: $(cat "$folder/said")"
done
# The validator of RO-Crate reads its profiles from the network; the library reads what is there.
"$PYTHON" - "$tables" <<'PYTHON'
import os
import sys

from rocrate.rocrate import ROCrate

folder = sys.argv[1]
crate = ROCrate(folder)
listed = {part.id: part for part in crate.root_dataset["hasPart"]}
there = set(os.listdir(folder))
# Those of whose bytes nothing can be said before they are written.
apart = {"ro-crate-metadata.json", "SHA256SUMS", "B3SUMS", "pack.json.minisig"}
assert set(listed) == there - apart, (set(listed) ^ there) - apart
for name, part in listed.items():
    size = part.get("contentSize")
    assert size is None or int(size) == os.path.getsize(os.path.join(folder, name)), name
assert "publicdomain/zero" in crate.root_dataset["license"].id
print(f"{len(listed)} files as ro-crate-metadata.json lists them")
PYTHON
fine=yes
bytes=$(wc -c <"$tar")
echo "release: $tar, $bytes bytes, was unpacked, verified and read"
