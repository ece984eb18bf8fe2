#!/bin/sh
# Packages every crate as it would be published, from the files that are there. Nothing is
# uploaded, and what is packaged is not compiled once more: `cargo publish --dry-run --workspace`
# does that too, and asks the registry about every crate.
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
echo "==> packaging every crate"
"$cargo" fetch --quiet --locked
"$cargo" package --quiet --offline --workspace --exclude grundy-benches --no-verify --allow-dirty
