#!/bin/sh
# Packages every crate as it would be published, from the files that are there. With CI=true it is
# published but for the upload, which asks the registry about every crate. What is packaged is not
# compiled once more: `cargo publish --dry-run --workspace` does that too.
#
# Cargo packages crates that depend on each other from version 1.90 on; an older one leaves it
# out, and with CI=true fails.
set -eu
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
version=$("$cargo" --version | cut -d' ' -f2)
oldest=$(printf '%s\n%s\n' 1.90.0 "$version" | sort -V | head -n 1)
if [ "$oldest" != 1.90.0 ]; then
    echo "package: Cargo $version cannot package crates that depend on each other; left out" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
if [ "${CI:-}" = true ]; then
    echo "==> publishing every crate, but for the upload"
    "$cargo" publish --quiet --dry-run --locked --workspace --no-verify --allow-dirty
    exit 0
fi
echo "==> packaging every crate"
"$cargo" fetch --quiet --locked
"$cargo" package --quiet --offline --workspace --exclude grundy-benches --exclude grundy-explorer \
    --exclude grundy-fuzz --exclude grundy-python --exclude grundy-testing --no-verify --allow-dirty
