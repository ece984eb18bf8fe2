#!/bin/sh
# The tests of the package for Python: all that is in tests/, against the wheel that is built and installed
# first. Called by `make python-test`, which says where the program and the
# Python environment are ($GRUNDY, $VENV), and how to compile ($PROFILE).
#
# Where the packages cannot be installed it says so and leaves everything out; with CI=true it fails.
set -eu
cd "$(dirname "$0")/../.."

if ! ${MAKE:-make} --no-print-directory "$VENV/ready"; then
    echo "python: its packages cannot be installed here; its tests are left out" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
bin=$PWD/$VENV/bin
PROFILE=${PROFILE:-dev} BIN=$bin sh tools/python/wheel.sh
cd tools/python
echo "==> the tests of grundy for Python"
# -X dev warns of what is left open; a crash of the interpreter says where it was. -rs lists what was
# left out, and why.
"$bin/python" -X dev -X faulthandler -m pytest -rs --durations=5 "$@"
cd ../..
target=${CARGO_TARGET_DIR:-$PWD/target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
BIN=$bin sh tools/python/notebooks.sh "$target/notebooks"
if [ "${CI:-}" = true ]; then
    ${MAKE:-make} --no-print-directory "$VENV/docs"
    BIN=$bin CARGO="${CARGO:-cargo}" TARGET=$target NOTEBOOKS=$target/notebooks \
        sh tools/python/docs.sh "$target/docs"
else
    echo "==> left out: the site of all documents (make docs)"
fi
