#!/bin/sh
# HyperQueue: an array over the tasks; workers are started by `hq worker start` or by its own
# allocation on Slurm and PBS. Not tried by a test here.
#
#   sh hyperqueue.sh build --max-pile 24 --length 6 --games end-nim
set -eu

results=${RESULTS:-$PWD/results} db=${DB:-$PWD/db} cpus=${CPUS:-4}
mkdir -p "$results"
# Named by its plan, so that two runs in one folder do not take each other's tasks.
part=$results/TASKS.$$
trap 'rm -f "$part"' EXIT
grundy tasks "$@" --parts "${PARTS:-64}" >"$part"
plan=$(sed -n '1s/.*"plan":"\([0-9a-f]*\)".*/\1/p' "$part")
tasks=$results/TASKS-$plan
mv "$part" "$tasks"
last=$(($(wc -l <"$tasks") - 1))
export results db tasks cpus
# shellcheck disable=SC2016  # the worker's shell is to see the variables
hq submit --wait --array "0-$last" --cpus "$cpus" --crash-limit 20 \
    --env results="$results" --env db="$db" --env tasks="$tasks" --env cpus="$cpus" \
    -- sh -c 'exec grundy task --file "$tasks" --index "$HQ_TASK_ID" --results "$results" \
        --db "$db" --threads "$cpus"'
grundy finish --file "$tasks" --results "$results" --db "$db"
