#!/bin/sh
# Runs the notebooks of docs/notebooks with the programs in $BIN, and writes them as HTML with their
# pictures to $1. An assertion that fails in a notebook is an error.
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
