#!/bin/sh
# Gathers the files of a release for a page of downloads: archives, tables, wheels and the page.
#
#   OUT=target/upload ARCHIVES=dist TABLES=release WHEELS=target/wheels PAGE=target/explorer sh tools/gather.sh
#
# SHA256SUMS in OUT has the digests of all files. KEY, a secret key of minisign without a password,
# signs it, and PUBKEY checks the signature.
set -eu
cd "$(dirname "$0")/.."

rm -rf "$OUT"
mkdir -p "$OUT"
cp "$ARCHIVES"/grundy-*.tar.gz "$TABLES"/grundy-tables-*.tar "$WHEELS"/grundy-*.whl "$OUT"
# Windows unpacks zip files. A trial has no archive for Windows.
for file in "$ARCHIVES"/grundy-*.zip; do
    if [ -f "$file" ]; then cp "$file" "$OUT"; fi
done
tar --sort=name --owner=0 --group=0 --numeric-owner -czf "$OUT/grundy-page.tar.gz" -C "$PAGE" .
(cd "$OUT" && sha256sum -- * >.sums && mv .sums SHA256SUMS && sha256sum --quiet -c SHA256SUMS)
if [ -n "${KEY:-}" ]; then
    minisign -S -s "$KEY" -m "$OUT/SHA256SUMS" >/dev/null
    minisign -Vqm "$OUT/SHA256SUMS" -p "$PUBKEY"
fi
echo "gather: $OUT has $(find "$OUT" -type f | wc -l) files"
