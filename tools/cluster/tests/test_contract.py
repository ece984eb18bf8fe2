"""Tests task lines, answers and options, and runs a task without Dask."""

import json
from pathlib import Path

import pytest
from conftest import CHAIN, TINY, Reference, Wrong, contents, once

from grundy_cluster import cli, contract, program, worker
from grundy_cluster.contract import Order
from grundy_cluster.errors import ClusterError


def test_an_edited_line_is_refused(grundy: str, tmp_path: Path) -> None:
    tasks = program.tasks(grundy, "build", TINY, 3)
    assert [task.index for task in tasks] == [0, 1, 2]
    assert contract.read_tasks(f"\n{contract.lines(tasks)}\n") == tasks
    line: dict[str, object] = json.loads(tasks[1].line)
    # This package refuses lines that it cannot use; the program refuses all other wrong lines.
    here: dict[str, object] = {"format": 2, "id": "build-x/../x", "writes": None}
    for edit in here.items():
        with pytest.raises(ClusterError):
            contract.read_task(json.dumps(line | dict([edit])))
    there: dict[str, object] = {"writes": ["../x"], "plan": "0" * 32, "kind": "x", "index": 2}
    for edit in there.items():
        edited = contract.read_task(json.dumps(line | dict([edit])))
        with pytest.raises(ClusterError, match="not a task of its plan"):
            program.left(grundy, [edited], ["--results", str(tmp_path)])
        order = Order(edited.line, program=grundy, db=str(tmp_path / "db"))
        answer = worker.answer(order)
        assert (answer.outcome, "not a task of its plan" in answer.text) == ("failed", True)
    assert not list(tmp_path.rglob("*.zst"))


@pytest.mark.parametrize("text", ["", "[]", "7", "[" * 100_000, '"x"', "{"])
def test_other_text_is_no_task(text: str) -> None:
    with pytest.raises(ClusterError):
        contract.read_tasks(text)


def test_a_member_is_written_once(grundy: str) -> None:
    line = program.tasks(grundy, "build", TINY, 3)[1].line
    with pytest.raises(ClusterError, match="a member is written twice"):
        contract.read_task(line.replace('"index":1', '"index":0,"index":1'))


def test_a_task_waits_for_the_finish_of_another_plan(
    grundy: str, wrong: Wrong, tmp_path: Path
) -> None:
    # The program refuses its first task, as if another process were publishing tables.
    said = 'echo "grundy: another build or one of its tasks is running in db" >&2; exit 2'
    waits = wrong(once(tmp_path / "seen", said))
    task = program.tasks(grundy, "build", TINY, 4)[1]
    answer = worker.answer(Order(task.line, program=waits, db=str(tmp_path / "db")))
    assert answer.outcome == "done", answer
    assert (tmp_path / "seen").exists()


def test_a_task_needs_no_state_and_uses_no_damaged_one(
    grundy: str, tmp_path: Path, reference: Reference
) -> None:
    first, second = program.tasks(grundy, "build", CHAIN, 2)
    assert (first.after, second.after) == ((), (first.id,))
    db = tmp_path / "db"

    def run(task: contract.Task) -> contract.Answer:
        return worker.answer(Order(task.line, program=grundy, db=str(db)))

    assert run(first).outcome == "done"
    [state] = db.rglob("*.state")
    whole = state.read_bytes()
    state.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    answer = run(second)
    assert (answer.outcome, f"cannot continue from {state}" in answer.text) == ("failed", True)
    # The message says that the task before it writes it again.
    assert run(first).outcome == "done"
    assert state.read_bytes() == whole
    state.unlink()
    assert run(second).outcome == "done"
    built = {name: text for name, text in reference(CHAIN).items() if name.endswith(".zst")}
    assert contents(db) == built


def test_options_are_separated_from_those_of_the_program() -> None:
    words = ["nim", "g > 1", "--local", "2", "--length=3", "--max-pile", "5", "--db=x", "--json"]
    options = cli.read(["check", *words])
    assert (options.local, options.db, options.json, options.parts) == (2, Path("x"), True, None)
    assert options.options == ["nim", "g > 1", "--length=3", "--max-pile", "5"]
    options = cli.read(["check", "a", "--local=1", "--", "--db", "b"])
    assert (options.db, options.options) == (None, ["a", "--", "--db", "b"])


@pytest.mark.parametrize(
    "words",
    ["", "erase", "check", "check --local 0", "check --local 1 --scheduler x", "check --local",
     "task --file x --index 1 --store s3://b/x y"],
)  # fmt: skip
def test_wrong_options_are_refused(words: str) -> None:
    with pytest.raises(SystemExit):
        cli.read(words.split())
