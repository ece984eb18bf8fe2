#!/bin/sh
# GNU parallel, on this machine or, with a file of hosts that share this folder, on several.
#
#   sh parallel.sh build --max-pile 24 --length 6 --games end-nim
#   JOBS=1 PARALLEL="--sshloginfile hosts --workdir $PWD" sh parallel.sh diff ch.thm2.2 --length 6
#
# Started again it goes on: a task that is done is kept. RESULTS and DB are folders, PARTS says how
# many tasks at most, JOBS how many at once, THREADS what each may use.
set -eu

results=${RESULTS:-results} db=${DB:-db}
mkdir -p "$results"
# Named by its plan, so that two runs in one folder do not take each other's tasks.
part=$results/TASKS.$$
trap 'rm -f "$part"' EXIT
grundy tasks "$@" --parts "${PARTS:-64}" >"$part"
plan=$(sed -n '1s/.*"plan":"\([0-9a-f]*\)".*/\1/p' "$part")
tasks=$results/TASKS-$plan
mv "$part" "$tasks"
last=$(($(wc -l <"$tasks") - 1))
seq 0 "$last" | parallel --will-cite --jobs "${JOBS:-2}" --retries 3 --halt soon,fail=1 \
    grundy task --file "$tasks" --index {} --results "$results" --db "$db" \
    --threads "${THREADS:-1}"
grundy finish --file "$tasks" --results "$results" --db "$db"
