#!/bin/sh
# HyperQueue: one job, with a task for each task of grundy. First start its server (`hq server
# start`) and its workers (`hq worker start`, or its automatic allocation on Slurm and PBS). Set
# $HQ_SERVER_DIR if the server's folder is not in the home folder. The Python package hyperqueue
# must have the server's version.
#
#   sh hyperqueue.sh build --max-pile 24 --length 6 --games end-nim
#
# Each task uses CPUS processors of a node. All nodes must share the current folder. grundy must be
# on the PATH of this machine. A task whose worker is lost starts again. The same command continues
# a stopped run.
set -eu

. "$(dirname "$0")/tasks.sh"
python3 - "$(command -v grundy)" "${CPUS:-4}" <<'END'
import collections, os, pathlib, sys
from hyperqueue import Client, Job
from hyperqueue.ffi.protocol import ResourceRequest

(program, cpus), here = sys.argv[1:], os.environ
job = Job(name="grundy", default_workdir=here["results"], max_fails=None)
tasks, before = [], collections.defaultdict(list)
for pair in pathlib.Path(here["after"]).read_text().split():
    index, earlier = map(int, pair.split(":"))
    before[index].append(earlier)
for index in range(int(here["last"]) + 1):
    command = [program, "task", "--file", here["tasks"], "--index", str(index), "--threads", cpus]
    command += ["--results", here["results"], "--db", here["db"]]
    deps = [tasks[earlier] for earlier in before[index]]
    needs = ResourceRequest(cpus=int(cpus))
    tasks.append(job.program(command, deps=deps, resources=needs, crash_limit=20))
client = Client(here.get("HQ_SERVER_DIR"))
if not client.wait_for_jobs([client.submit(job)], raise_on_error=False):
    sys.exit(f"some tasks failed, see {here['results']}/*.stderr; the same command continues")
END
grundy finish --file "$tasks" --results "$results" --db "$db"
