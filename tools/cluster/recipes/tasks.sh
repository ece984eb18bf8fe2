# The beginning of the other recipes, which read it with `.`: it makes the tasks of the command in
# "$@", one a line, in a file. The file is named by their plan, so that two runs in one folder do not
# take each other's tasks. It sets and exports results, db, tasks, plan and last, the last task's number.
# RESULTS and DB are folders, PARTS says how many tasks at most.

results=${RESULTS:-$PWD/results} db=${DB:-$PWD/db}
mkdir -p "$results"
part=$results/TASKS.$$
trap 'rm -f "$part"' EXIT
kind=$1
shift
grundy tasks "$kind" --parts "${PARTS:-64}" "$@" >"$part"
plan=$(sed -n '1s/.*"plan":"\([0-9a-f]*\)".*/\1/p' "$part")
tasks=$results/TASKS-$plan
mv "$part" "$tasks"
last=$(($(wc -l <"$tasks") - 1))
export results db tasks plan last
