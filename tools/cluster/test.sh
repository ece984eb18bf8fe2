#!/bin/sh
# Runs all tests of grundy-cluster, which are in tests/. `make cluster-test` calls this script and sets
# the program and the Python environment ($GRUNDY, $VENV).
#
# If the packages cannot be installed, the script prints this and skips all tests. A test also skips
# itself if a program such as Slurm is missing. With CI=true both are failures.
set -eu
cd "$(dirname "$0")/../.."

if ! ${MAKE:-make} --no-print-directory "$VENV/ready"; then
    echo "cluster: the packages for the tests cannot be installed; the tests are skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
bin=$PWD/$VENV/bin
cd tools/cluster
echo "==> the tests of grundy-cluster"
# -rs lists the skipped tests with their reasons.
exec "$bin/pytest" -rs --durations=5 "$@"
