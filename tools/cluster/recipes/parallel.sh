#!/bin/sh
# GNU parallel, on this machine, or on several machines that share this folder (`--sshloginfile`).
#
#   sh parallel.sh build --max-pile 24 --length 6 --games end-nim
#   JOBS=1 PARALLEL="--sshloginfile hosts --workdir $PWD" sh parallel.sh diff ch.thm2.2 --length 6
#
# The same command continues a stopped run and keeps finished tasks. JOBS tasks run in parallel, each
# with THREADS threads. tasks.sh describes the other variables.
set -eu

. "$(dirname "$0")/tasks.sh"
waves >"$results/waves-$plan"
while read -r ranges; do
    for range in $ranges; do seq "${range%-*}" "${range#*-}"; done |
        parallel --will-cite --jobs "${JOBS:-2}" --retries 3 --halt soon,fail=1 \
            grundy task --file "$tasks" --index {} --results "$results" --db "$db" \
            --threads "${THREADS:-1}"
done <"$results/waves-$plan"
grundy finish --file "$tasks" --results "$results" --db "$db"
