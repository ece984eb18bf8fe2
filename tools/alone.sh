#!/bin/sh
# Runs an installer while no other installer of this folder runs. `make test` runs two groups of
# tests at the same time, and apt-get, rustup and pip fail or spoil each other's work if two of them
# run at once. A command that itself calls this script would wait for ever.
#
#   sh tools/alone.sh COMMAND...
set -eu
folder=${CARGO_TARGET_DIR:-target}
mkdir -p "$folder"
if command -v flock >/dev/null 2>&1; then exec flock "$folder" "$@"; fi
exec "$@"
