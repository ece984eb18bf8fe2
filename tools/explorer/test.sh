#!/bin/sh
# Runs the tests of the explorer in a browser: features, values, accessibility. `make
# explorer-test` calls this script. It has made the program ($GRUNDY), and sets the folder for the
# page ($EXPLORER) and for the tools of the tests ($TOOLS).
#
# Chromium and npm must be installed; axe-core comes from npm, and Playwright from PyPI. If one of
# them is missing, or Chromium does not start, the tests are skipped; with CI=true this is a
# failure.
set -eu
cd "$(dirname "$0")/../.."

# without WHAT: skips the tests, or fails.
without() {
    echo "explorer: $1 is missing; the tests in a browser are skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
}

find_chromium() {
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" 2>/dev/null; then return; fi
    done
}

chromium=${CHROMIUM:-$(find_chromium)}
[ -n "$chromium" ] || without "Chromium"
"$chromium" --headless --no-sandbox --disable-gpu --dump-dom about:blank >/dev/null 2>&1 ||
    without "Chromium that starts"
command -v npm >/dev/null 2>&1 || without "npm"
OUT=$EXPLORER sh tools/explorer.sh || {
    code=$?
    [ $code = 3 ] || exit $code
    without "page"
}

mkdir -p "$TOOLS"
if [ ! -f "$TOOLS/ready" ]; then
    echo "==> axe-core and Playwright in $TOOLS/"
    cp tools/explorer/tests/package.json "$TOOLS/"
    npm install --prefix "$TOOLS" --silent --no-fund --no-audit || without "axe-core"
    sh tools/setup.sh python || without "Python"
    "${PYTHON:-python3}" -m venv --clear "$TOOLS/venv"
    "$TOOLS/venv/bin/pip" install --quiet --disable-pip-version-check \
        -r tools/explorer/tests/requirements.txt || without "Playwright"
    touch "$TOOLS/ready"
fi
echo "==> the explorer in Chromium"
tools=$(cd "$TOOLS" && pwd)
export CHROMIUM="$chromium" AXE="$tools/node_modules/axe-core/axe.min.js" PYTHONDONTWRITEBYTECODE=1
exec "$tools/venv/bin/pytest" -q -p no:cacheprovider tools/explorer/tests "$@"
