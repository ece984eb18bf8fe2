#!/bin/sh
# Installs zig and cargo-zigbuild in .venv-foreign, and prints the folder of their programs. zig
# compiles C and links for all other systems, and cargo uses zig through cargo-zigbuild.
set -eu
cd "$(dirname "$0")/.."

venv=.venv-foreign
# Fixed versions, so that the same commit always makes the same programs.
packages="cargo-zigbuild==0.24.0 ziglang==0.17.1"

if [ "$(cat "$venv/ready" 2>/dev/null)" != "$packages" ]; then
    sh tools/setup.sh python
    echo "zig: a Python environment in $venv/ with $packages" >&2
    "${PYTHON:-python3}" -m venv --clear "$venv"
    # shellcheck disable=SC2086 # two packages
    "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check $packages >&2
    echo "$packages" >"$venv/ready"
fi
echo "$PWD/$venv/bin"
