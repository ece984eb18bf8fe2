#!/bin/sh
# Slurm: an array with a job for each task, and a job that runs `finish` after all have ended. If
# tasks build on the work of others, there are several arrays, one after another.
#
#   sh slurm-array.sh build --max-pile 24 --length 6 --games end-nim
#
# All nodes must share the current folder and have grundy on their PATH. SBATCH holds further options,
# as in SBATCH='--partition=long --cpus-per-task=16 --time=2:00:00'. Many clusters allow arrays of
# at most a thousand tasks (`scontrol show config | grep MaxArraySize`); then use PARTS=1000. Each task
# of a chain has its own array, so a chain of N tasks means N calls of sbatch; then use fewer PARTS.
#
# If a task is preempted or its node fails, Slurm queues the task again, and it starts from the
# beginning. If a task fails, the others still run; those that build on it compute its work again.
# `finish` names the missing result or shard, and the same command runs only the unfinished tasks.
set -eu

. "$(dirname "$0")/tasks.sh"

# An array for each group of tasks, which begins after the group before it.
jobs=
waves >"$results/waves-$plan"
while read -r ranges; do
    # shellcheck disable=SC2016,SC2086  # the node's shell expands the variables; SBATCH is a list
    job=$(sbatch --parsable --requeue --export=ALL --job-name=grundy \
        --array="$(echo "$ranges" | tr ' ' ',')" \
        ${jobs:+--dependency="afterany:${jobs##*:}"} \
        --output="$results/slurm-$plan-%a.out" --open-mode=append ${SBATCH:-} --wrap '
        exec grundy task --file "$tasks" --index "$SLURM_ARRAY_TASK_ID" \
            --results "$results" --db "$db" --threads "${SLURM_CPUS_PER_TASK:-1}"')
    jobs=${jobs:+$jobs:}${job%%;*}
done <"$results/waves-$plan"
# shellcheck disable=SC2016,SC2086
finish=$(sbatch --parsable --export=ALL --job-name=grundy-finish \
    --dependency="afterany:$jobs" --output="$results/finish-$plan.out" ${SBATCH:-} --wrap '
    exec grundy finish --file "$tasks" --results "$results" --db "$db"')
echo "array $jobs with tasks 0 to $last, then ${finish%%;*}; its output: $results/finish-$plan.out"
