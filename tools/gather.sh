#!/bin/sh
# Gathers the files of a release for a page of downloads: archives, tables, wheels and the page.
#
#   OUT=target/upload ARCHIVES=dist TABLES=release WHEELS=target/wheels PAGE=target/explorer sh tools/gather.sh
#
# It takes only files of the version in Cargo.toml, because the folders may have files of earlier
# versions. SHA256SUMS in OUT has the digests of all files. KEY, a secret key of minisign without a
# password, signs it, and PUBKEY checks the signature.
#
# With DRY=1 it takes a trial's archive, whose name may contain `-changed`. Then it gathers nothing
# if this machine could not make an archive.
set -eu
cd "$(dirname "$0")/.."

stop() {
    echo "gather: $*" >&2
    exit 1
}

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
[ -n "$version" ] || stop "Cargo.toml has no version"
rm -rf "$OUT"

# found FOLDER PATTERN...: lists the files of a folder whose names match one of the patterns.
found() {
    folder=$1
    shift
    for pattern in "$@"; do
        if [ -d "$folder" ]; then find "$folder" -maxdepth 1 -type f -name "$pattern"; fi
    done | if [ -n "${DRY:-}" ]; then cat; else grep -v -e "/grundy-$version-changed-" || true; fi
}

archives=$(found "$ARCHIVES" "grundy-$version-*.tar.gz" "grundy-$version-*.zip")
if [ -z "$archives" ]; then
    said="$ARCHIVES has no archive of version $version"
    [ -n "${DRY:-}" ] || stop "$said; make dist makes them"
    echo "gather: $said, because this machine could not make one; so nothing is gathered"
    exit 0
fi
wheels=$(found "$WHEELS" "grundy-$version-*.whl")
[ -n "$wheels" ] || stop "$WHEELS has no wheel of version $version; make wheel makes one"
tables=$(found "$TABLES" "grundy-tables-*.tar")
[ -n "$tables" ] || stop "$TABLES has no pack of tables; make release makes one"
[ "$(printf '%s\n' "$tables" | wc -l)" -eq 1 ] ||
    stop "$TABLES has more than one pack of tables; remove the old ones: $(echo "$tables" | tr '\n' ' ')"
[ -d "$PAGE" ] || stop "$PAGE does not exist; make explorer makes the page"
tar --version 2>/dev/null | grep -q GNU || stop "GNU tar is missing; it sorts the files of the page"
command -v sha256sum >/dev/null || stop "the program sha256sum is missing"

mkdir -p "$OUT"
printf '%s\n' "$archives" "$wheels" "$tables" | while IFS= read -r file; do cp "$file" "$OUT"; done
tar --sort=name --owner=0 --group=0 --numeric-owner -czf "$OUT/grundy-page.tar.gz" -C "$PAGE" .
(cd "$OUT" && sha256sum -- * >.sums && mv .sums SHA256SUMS && sha256sum --quiet -c SHA256SUMS)
if [ -n "${KEY:-}" ]; then
    minisign -S -s "$KEY" -m "$OUT/SHA256SUMS" >/dev/null
    minisign -Vqm "$OUT/SHA256SUMS" -p "$PUBKEY"
fi
echo "gather: $OUT has $(find "$OUT" -type f | wc -l) files; RELEASING.md says how to upload them"
