#!/bin/sh
# The tests of the explorer in a browser: types, features, values, accessibility. Called by `make
# explorer-test`, which has made the page and the program ($EXPLORER, $GRUNDY) and says where to keep
# what the tests need ($TOOLS).
#
# Chromium is taken where it is, or installed on a Debian-like system as root; TypeScript and axe-core
# come from npm, Playwright from PyPI. Where one of them cannot be had the tests say so and are left
# out; with CI=true that is a failure.
set -eu
cd "$(dirname "$0")/../.."

# without WHAT: leaves the tests out, or fails.
without() {
    echo "explorer: there is no $1; the tests in a browser are left out" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
}

find_chromium() {
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" 2>/dev/null; then return; fi
    done
}

chromium=${CHROMIUM:-$(find_chromium)}
if [ -z "$chromium" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "explorer: installing the package chromium" >&2
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core; } >&2 || true
    chromium=$(find_chromium)
fi
[ -n "$chromium" ] || without "Chromium"
command -v npm >/dev/null 2>&1 || without "npm"

mkdir -p "$TOOLS"
if [ ! -f "$TOOLS/ready" ]; then
    echo "==> TypeScript, axe-core and Playwright in $TOOLS/"
    cp tools/explorer/tests/package.json "$TOOLS/"
    npm install --prefix "$TOOLS" --silent --no-fund --no-audit || without "TypeScript or axe-core"
    sh tools/setup.sh python || without "Python"
    "${PYTHON:-python3}" -m venv --clear "$TOOLS/venv"
    "$TOOLS/venv/bin/pip" install --quiet --disable-pip-version-check \
        -r tools/explorer/tests/requirements.txt || without "Playwright"
    touch "$TOOLS/ready"
fi
echo "==> the types of the page"
"$TOOLS/node_modules/.bin/tsc" -p tools/explorer/tsconfig.json
echo "==> the explorer in Chromium"
tools=$(cd "$TOOLS" && pwd)
export CHROMIUM="$chromium" AXE="$tools/node_modules/axe-core/axe.min.js" PYTHONDONTWRITEBYTECODE=1
exec "$tools/venv/bin/pytest" -q -p no:cacheprovider tools/explorer/tests "$@"
