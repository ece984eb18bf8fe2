#!/bin/sh
# Makes the site of all documentation in $1: the documents, the notebooks with their output, the
# package for Python, and the crates (cargo doc). A broken link is an error. Programs are in $BIN,
# and cargo compiles to $TARGET. $NOTEBOOKS, if set, is a folder of notebooks that already have
# their output.
set -eu
cd "$(dirname "$0")/../.."

case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
work=$TARGET/site
rm -rf "$work"
mkdir -p "$work/pages/notebooks" "$work/pages/docs" "$work/pages/crates"
if [ -n "${NOTEBOOKS:-}" ]; then
    cp "$NOTEBOOKS"/*.html "$work/pages/notebooks/"
else
    BIN=$BIN sh tools/python/notebooks.sh "$work/pages/notebooks"
fi
RUSTDOCFLAGS=-Dwarnings "$CARGO" doc --quiet --workspace --no-deps --lib \
    --exclude grundy-fuzz --exclude grundy-python
cp -R "$TARGET/doc/." "$work/pages/crates/"
cp ./*.md "$work/pages/"
cp docs/*.md "$work/pages/docs/"
cp -R docs/pictures docs/runs "$work/pages/docs/"
"$BIN/python" tools/python/pages.py prepare "$work/pages"
cp docs/mkdocs.yml "$work/mkdocs.yml"
"$BIN/mkdocs" build --quiet --strict --config-file "$work/mkdocs.yml"
rm -rf "$out"
cp -R "$work/site" "$out"
"$BIN/python" tools/python/pages.py check "$out"
echo "the site is in $out/index.html"
