# The other recipes begin by sourcing this script. It writes the tasks of the command in "$@" to a
# file, one on each line. The file name contains the plan's name, so that two runs in one folder do
# not mix their tasks. The script sets and exports results, db, tasks, plan, and last (the number of
# the last task). RESULTS and DB are folders, and PARTS is the number of tasks
# (without it at most 64).

results=${RESULTS:-$PWD/results} db=${DB:-$PWD/db}
mkdir -p "$results"
part=$results/TASKS.$$
trap 'rm -f "$part"' EXIT
kind=$1
shift
grundy tasks "$kind" ${PARTS:+--parts "$PARTS"} "$@" >"$part"
plan=$(sed -n '1s/.*"plan":"\([0-9a-f]*\)".*/\1/p' "$part")
tasks=$results/TASKS-$plan
mv "$part" "$tasks"
last=$(($(wc -l <"$tasks") - 1))
export results db tasks plan last
