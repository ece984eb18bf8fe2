#!/bin/sh
# Packages every crate for publication from the present files. With CI=true it does everything except
# the upload, including requests to the registry about every crate. Unlike `cargo publish --dry-run
# --workspace`, it does not compile the packages again.
#
# From version 1.90 on, Cargo can package crates that depend on each other. With an older version the
# script does nothing; with CI=true it fails.
set -eu
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
version=$("$cargo" --version | cut -d' ' -f2)
oldest=$(printf '%s\n%s\n' 1.90.0 "$version" | sort -V | head -n 1)
if [ "$oldest" != 1.90.0 ]; then
    echo "package: Cargo $version cannot package crates that depend on each other; skipped (use Cargo 1.90 or later)" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
if [ "${CI:-}" = true ]; then
    echo "==> publishing every crate, without the upload"
    "$cargo" publish --quiet --dry-run --locked --workspace --no-verify --allow-dirty
    exit 0
fi
echo "==> packaging every crate"
"$cargo" fetch --quiet --locked
"$cargo" package --quiet --offline --workspace --exclude grundy-benches --exclude grundy-explorer \
    --exclude grundy-fuzz --exclude grundy-python --exclude grundy-testing --no-verify --allow-dirty
