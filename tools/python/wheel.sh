#!/bin/sh
# Builds the wheel of the package for Python and installs it, with the programs in $BIN.
set -eu
cd "$(dirname "$0")"

out=${CARGO_TARGET_DIR:-$PWD/../../target}/wheels
rm -rf "$out.new"
mkdir -p "$out" "$out.new"
echo "==> the wheel of grundy for Python, profile ${PROFILE:-release}, in $out"
"$BIN/maturin" build --quiet --profile "${PROFILE:-release}" --locked --interpreter "$BIN/python" \
    --out "$out.new"
# The previous wheel stays until the new one is complete.
rm -f "$out"/grundy-*.whl
mv "$out.new"/grundy-*.whl "$out/"
rmdir "$out.new"
"$BIN/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$out"/grundy-*.whl
