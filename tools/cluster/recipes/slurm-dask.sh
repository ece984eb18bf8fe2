#!/bin/sh
# Dask on Slurm: a scheduler and the driver here (a login node, or a job of their own), and workers
# as an array of jobs, which find the scheduler by its file. Workers may come and go meanwhile.
#
#   WORKERS=8 sh slurm-dask.sh diff ch.thm2.2 --max-pile 64 --length 7 --parts 64
#
# The folder it is started in must be shared, and grundy-cluster and grundy be on the PATH of all.
# HOST is this machine's address on the cluster's network; the workers take that of their node. On a
# network that others use, make certificates and name them in Dask's configuration, which all of them
# read: DASK_CONFIG=tls.yaml (docs/CLUSTER.md, "Who may do what").
set -eu

file=$PWD/scheduler-$$.json
host=${HOST:-127.0.0.1}
export file NODE_HOST="${NODE_HOST:-}"

grundy-cluster scheduler --scheduler-file "$file" --host "$host" --port 0 &
scheduler=$!
workers=
tidy() {
    [ -z "$workers" ] || scancel "$workers" || true
    kill "$scheduler" 2>/dev/null || true
    rm -f "$file"
}
trap tidy EXIT
trap 'exit 130' INT TERM

# shellcheck disable=SC2016,SC2086
workers=$(sbatch --parsable --requeue --export=ALL --job-name=grundy-worker \
    --array="1-${WORKERS:-2}" --output="$PWD/worker-%a.out" ${SBATCH:-} --wrap '
    exec grundy-cluster worker --scheduler-file "$file" --death-timeout 600 \
        --host "${NODE_HOST:-$(hostname -I | cut -d" " -f1)}"')
workers=${workers%%;*}
grundy-cluster "$@" --scheduler-file "$file" --timeout "${TIMEOUT:-600}"
