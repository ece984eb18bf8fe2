# The other recipes begin by sourcing this script. It writes the tasks of the command in "$@" to a
# file, one on each line. The file name contains the plan's name, so that two runs in one folder do
# not mix their tasks. The script sets and exports results, db, tasks, plan, after, and last (the
# number of the last task). RESULTS and DB are folders, and PARTS is the number of tasks
# (without it at most 64).
#
# The file $after has lines I:J. Task I should run after task J, on whose work it builds. The
# function waves prints the tasks in groups, one on each line. Each group needs only earlier groups.

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
after=$results/AFTER-$plan
sed -n 's/.*"index":\([0-9]*\),.*"after":\[\([^]]*\)\].*/\1 \2/p' "$tasks" | awk '{
    count = split($2, ids, ",")
    for (i = 1; i <= count; i++) { n = split(ids[i], part, "-"); print $1 ":" part[n] + 0 }
}' >"$after"
export results db tasks plan last after

# Prints a group as ranges, as in `0-3 5-5`.
waves() {
    awk -F : -v last="$last" '{ before[$1] = before[$1] " " $2 } END {
        for (task = 0; task <= last; task++) {
            wave = 0
            count = split(before[task], ids, " ")
            for (i = 1; i <= count; i++) if (of[ids[i]] + 1 > wave) wave = of[ids[i]] + 1
            of[task] = wave
            if (!(wave in end) || end[wave] < task - 1) {
                if (wave in end) line[wave] = line[wave] first[wave] "-" end[wave] " "
                first[wave] = task
            }
            end[wave] = task
            if (wave > most) most = wave
        }
        for (wave = 0; wave <= most; wave++) print line[wave] first[wave] "-" end[wave]
    }' <"$after"
}
