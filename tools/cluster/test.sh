#!/bin/sh
# The tests of grundy-cluster: all that is in tests/. Called by `make
# cluster-test`, which says where the program and the Python environment are ($GRUNDY, $VENV).
#
# Where the packages cannot be installed it says so and leaves everything out; a test that needs
# what is not there (Slurm, say) says so, too. With CI=true both fail.
set -eu
cd "$(dirname "$0")/../.."

if ! ${MAKE:-make} --no-print-directory "$VENV/ready"; then
    echo "cluster: its Python packages cannot be installed here; its tests are left out" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
bin=$PWD/$VENV/bin
cd tools/cluster
echo "==> the tests of grundy-cluster"
# -rs lists what was left out, and why.
exec "$bin/pytest" -rs --durations=5 "$@"
