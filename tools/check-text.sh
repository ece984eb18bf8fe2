#!/bin/sh
# Checks on the text of the project that no compiler makes. Exits 1 if one fails, and
# says where:
#
#   - a file of code over 800 lines
#   - a path that exists on one machine only
#   - code or a document that was left unfinished
#
# Looks at all files that are in git or about to be.
set -eu
cd "$(dirname "$0")/.."

git rev-parse --git-dir >/dev/null || exit 1

longest=800
failed=0

# files [PATTERN...]: those that exist, one a line.
files() {
    git ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
        if [ -f "$file" ]; then printf '%s\n' "$file"; fi
    done
}

# found WHAT: fails if there is anything on standard input, and shows it.
found() {
    lines=$(cat)
    if [ -n "$lines" ]; then
        printf '%s:\n%s\n\n' "$1" "$lines" >&2
        failed=1
    fi
}

# search EXPRESSION [PATTERN...]: lines of text files. The brackets in the expressions
# keep them from finding themselves.
search() {
    expression=$1
    shift
    files "$@" | tr '\n' '\0' | xargs -0 -r grep -nHIE -e "$expression" -- || true
}

found "Code files over $longest lines (is each really one thing?)" <<EOF
$(files '*.rs' '*.py' | while IFS= read -r file; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt "$longest" ]; then echo "$file: $lines lines"; fi
done)
EOF

found "Paths of one machine" <<EOF
$(search '(^|[^[:alnum:]_.~$}/-])/(hom[e]|roo[t]|User[s]|wor[k]|tm[p]|mn[t]|medi[a])/|[A-Z]:\\User[s]')
EOF

found "Unfinished code" <<EOF
$(search '\b(tod[o]|unimplemente[d])!|\bFIXM[E]\b|\bXX[X]\b' '*.rs' '*.py' '*.sh' Makefile)
EOF

found "Unfinished documents" <<EOF
$(search 'TO B[E] COMPLETED|\bTB[D]\b' '*.md' '*.toml')
EOF

exit $failed
