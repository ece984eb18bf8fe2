#!/bin/sh
# Builds the wheel of the package for Python, installs it, and runs all tests in tests/ with it.
# `make python-test` calls this script and sets the program ($GRUNDY), the Python environment ($VENV)
# and the profile of the compiler ($PROFILE).
#
# If packages cannot be installed, the script prints a message and skips all tests; with CI=true it
# fails.
set -eu
cd "$(dirname "$0")/../.."

if ! ${MAKE:-make} --no-print-directory "$VENV/ready"; then
    echo "python: cannot install the packages, so all tests of the Python package are skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi
bin=$PWD/$VENV/bin
PROFILE=${PROFILE:-dev} BIN=$bin sh tools/python/wheel.sh
cd tools/python
echo "==> the tests of grundy for Python"
# -X dev warns of files that are not closed, and -X faulthandler shows where the interpreter
# crashed. -rs lists the skipped tests with their reasons.
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
    echo "==> skipped: the site of all documents (make docs)"
fi
