#!/bin/sh
# Checks the text of the project in ways that no compiler does. Exits with 1 if it finds one of
# these, and shows where:
#
#   - a file of code over 800 lines
#   - a path that exists on one machine only
#   - unfinished code or documents
#   - a line of documentation that begins with a question word, or is longer than 100 columns
#
# It reads all files that git tracks or does not ignore.
set -eu
cd "$(dirname "$0")/.."

git rev-parse --git-dir >/dev/null || exit 1

longest=800
failed=0

# files [PATTERN...]: lists the existing files, one a line.
files() {
    git ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
        if [ -f "$file" ]; then printf '%s\n' "$file"; fi
    done
}

# found TITLE: if there is any standard input, shows it and makes the check fail.
found() {
    lines=$(cat)
    if [ -n "$lines" ]; then
        printf '%s:\n%s\n\n' "$1" "$lines" >&2
        failed=1
    fi
}

# search EXPRESSION [PATTERN...]: lists matching lines of text files. The brackets in the
# expressions keep them from matching themselves.
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

words='(What|Who|Whose|Whoever|Whether|Of|Where)'
found "Documentation that begins with a question word (begin with a verb or a noun)" <<EOF
$(search "^[[:space:]]*//[/!] $words\\b" '*.rs'
search "^[[:space:]]*(\\*|//) $words\\b" '*.js'
search "^[[:space:]]*\"\"\"$words\\b" '*.py')
EOF

found "Documentation longer than 100 columns" <<EOF
$(search '^.{101}' '*.rs' | grep -E '^[^:]*:[0-9]+:[[:space:]]*//[/!]' | grep -vE '\]\(http|^[^:]*:[0-9]+:[[:space:]]*//[/!] \|')
EOF

exit $failed
