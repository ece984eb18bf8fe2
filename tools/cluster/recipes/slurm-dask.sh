#!/bin/sh
# Dask on Slurm: the scheduler and the driver run here, on a login node or in a job. The workers are
# an array of jobs. They find the scheduler through a file, and may start and end during the run.
#
#   WORKERS=8 sh slurm-dask.sh diff ch.thm2.2 --max-pile 64 --length 7 --parts 64
#
# All nodes must share the current folder and have grundy-cluster and grundy on their PATH. HOST is
# this machine's address on the cluster's network; each worker uses the address of its node. If others
# use the network, make certificates and give their paths in Dask's configuration, which all these
# processes read: DASK_CONFIG=tls.yaml (docs/CLUSTER.md, "Who may do what").
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
