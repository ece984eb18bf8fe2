#!/bin/sh
# Builds the wheel of the package for Python and installs it, with the programs in $BIN.
set -eu
cd "$(dirname "$0")"

out=${CARGO_TARGET_DIR:-$PWD/../../target}/wheels
mkdir -p "$out"
rm -f "$out"/grundy-*.whl
echo "==> the wheel of grundy for Python, profile ${PROFILE:-release}, in $out"
"$BIN/maturin" build --quiet --profile "${PROFILE:-release}" --locked --interpreter "$BIN/python" \
    --out "$out"
"$BIN/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$out"/grundy-*.whl
