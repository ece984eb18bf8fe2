#!/bin/sh
# Runs all tests of grundy-cluster, which are in tests/. `make cluster-test` calls this script and sets
# the program and the Python environment ($GRUNDY, $VENV).
#
# If the packages cannot be installed, the script prints a message and skips all tests. If a program
# such as Slurm is missing, the script skips the tests that need it. With CI=true both cases are
# failures.
set -eu
cd "$(dirname "$0")/../.."

if ! ${MAKE:-make} --no-print-directory "$VENV/ready"; then
    echo "cluster: cannot install the Python packages, so all tests of grundy-cluster are skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
bin=$PWD/$VENV/bin
cd tools/cluster
echo "==> the tests of grundy-cluster"
# -rs lists the skipped tests with their reasons.
exec "$bin/pytest" -rs --durations=5 "$@"
