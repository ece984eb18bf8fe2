#!/bin/sh
# Runs the notebooks of docs/notebooks and writes them, with their pictures, as HTML to $1. The
# programs are those in $BIN. A notebook in which an assertion fails stops it.
set -eu
cd "$(dirname "$0")/../.."

out=$1
mkdir -p "$out"
for notebook in docs/notebooks/*.md; do
    name=$(basename "$notebook" .md)
    echo "==> $notebook"
    "$BIN/jupytext" --quiet --to ipynb --output "$out/$name.ipynb" "$notebook"
    "$BIN/jupyter" nbconvert --log-level ERROR --execute --to html \
        --ExecutePreprocessor.timeout=600 --output-dir "$out" "$out/$name.ipynb"
    rm -f "$out/$name.ipynb"
done
