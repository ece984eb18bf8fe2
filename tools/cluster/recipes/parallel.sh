#!/bin/sh
# GNU parallel, on this machine or, with a file of hosts that share this folder, on several.
#
#   sh parallel.sh build --max-pile 24 --length 6 --games end-nim
#   JOBS=1 PARALLEL="--sshloginfile hosts --workdir $PWD" sh parallel.sh diff ch.thm2.2 --length 6
#
# Started again it goes on: a task that is done is kept. JOBS says how many tasks at once, THREADS what
# each may use; tasks.sh has the rest.
set -eu

. "$(dirname "$0")/tasks.sh"
seq 0 "$last" | parallel --will-cite --jobs "${JOBS:-2}" --retries 3 --halt soon,fail=1 \
    grundy task --file "$tasks" --index {} --results "$results" --db "$db" \
    --threads "${THREADS:-1}"
grundy finish --file "$tasks" --results "$results" --db "$db"
