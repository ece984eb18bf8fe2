#!/bin/sh
# Sets the version of the program, the crates and both Python packages: `make version V=0.2.0`.
#
# It changes the files below and Cargo.lock, and commits nothing. The heading in CHANGELOG.md, with
# its date, is written by hand.
set -eu
cd "$(dirname "$0")/.."

stop() {
    echo "version: $*" >&2
    exit 2
}

new=${1:-}
old=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
echo "$new" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || stop "'$new' is not a version; write, for example, V=0.2.0"
[ "$new" != "$old" ] || stop "the version is already $old"

escaped=$(echo "$old" | sed 's/\./\\./g')
for file in Cargo.toml CITATION.cff tools/cluster/pyproject.toml \
    tools/cluster/recipes/kubernetes.yaml tools/cluster/src/grundy_cluster/__init__.py \
    tools/grundy/tests/cases/exports.md tools/grundy/tests/cases/laws.md; do
    # Another package may have the same version, so replace only these forms.
    sed -i.before -E \
        -e "s/^((version|__version__)( =|:) \")$escaped\"/\1$new\"/" \
        -e "s/^(grundy[a-z-]* = \{ version = \")$escaped\"/\1$new\"/" \
        -e "s/(grundy[ :])$escaped\b/\1$new/; s/(Grundy )$escaped\b/\1$new/" "$file"
    ! cmp -s "$file" "$file.before" || stop "the version $old is not found in $file, or is in an unknown form"
    rm "$file.before"
done
${CARGO:-cargo} update --quiet --workspace
echo "the version is $new; write its heading in CHANGELOG.md, and see \`git diff\`"
