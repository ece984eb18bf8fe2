"""Lines, paths and messages, and refusals; options, and a task without Dask."""

import json
from pathlib import Path

import pytest
from conftest import SMALL, TINY
from harness import Wrong, once

from grundy_cluster import cli, contract, program, worker
from grundy_cluster.contract import Answer, Order, message
from grundy_cluster.errors import ClusterError
from grundy_cluster.progress import span


@pytest.fixture(scope="session")
def printed(grundy: str) -> list[str]:
    """Return the lines of a build of three tasks."""
    return [task.line for task in program.tasks(grundy, "build", TINY, 3)]


def test_lines_are_read_as_they_are_printed(grundy: str, printed: list[str]) -> None:
    others = [task.line for task in program.tasks(grundy, "build", SMALL, 3)]
    tasks = contract.read_tasks("\n".join(["", *printed, ""]))
    assert [task.index for task in tasks] == [0, 1, 2]
    assert contract.lines(tasks) == "".join(f"{line}\n" for line in printed)
    for lines, told in ((others, "2 different plans"), (printed, "twice"), (["{"], "no JSON")):
        with pytest.raises(ClusterError, match=told):
            contract.read_tasks("\n".join([*printed, *lines]))
    for text in ("", "[]", "7", "[" * 100_000, '"x"'):
        with pytest.raises(ClusterError):
            contract.read_tasks(text)


WRONG: dict[str, list[object]] = {
    "format": [2],
    "id": [f"build-0123456789abcdef-1{end}" for end in ("/../../x", "\n")],
    "plan": ["0" * 32, "x", 7],
    "index": [2, -1, True],
    "tasks": [1],
    "kind": ["erase"],
    "writes": ["x", *([path] for path in ("../x", "/etc/x", "a/../x", "a\\..\\x", "c:x", "", 7))],
    "core_seconds": [-1, "1"],
    "run": [None],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_line_that_was_edited_is_refused(name: str, printed: list[str]) -> None:
    for value in WRONG[name]:
        with pytest.raises(ClusterError):
            contract.read_task(json.dumps({**json.loads(printed[1]), name: value}))


def test_messages_come_back_as_they_were_sent(printed: list[str]) -> None:
    order = Order(printed[0], program="g", db="d", options=("--threads", "2"), store="s3://b/x")
    assert contract.read_order(message(order)) == order
    answer = Answer("x", "kept", "{}", worker="w", seconds=1.5)
    said = message(answer)
    assert contract.read_answer(said) == answer
    others = [said.replace(*pair) for pair in (("1,", "2,"), ('"{}"', "7"))]
    for wrong in (None, b"{}", {"id": "x"}, "{}", "[]", "", *others):
        with pytest.raises(ClusterError):
            contract.read_answer(wrong)


def test_a_task_waits_for_whoever_finishes(grundy: str, wrong: Wrong, tmp_path: Path) -> None:
    # The program refuses once, as it does while others publish tables of the same database.
    said = 'echo "grundy: another build, or tasks of one, are at work in db" >&2; exit 2'
    waits = wrong(once(tmp_path / "seen", said))
    task = program.tasks(grundy, "build", TINY, 4)[1]
    answer = worker.answer(Order(task.line, program=waits, db=str(tmp_path / "db")))
    assert answer.outcome == "done", answer
    assert (tmp_path / "seen").exists()


def test_options_of_ours_are_parted_from_others() -> None:
    words = ["nim", "g > 1", "--local", "2", "--length=3", "--max-pile", "5", "--db=x", "--json"]
    options = cli.read(["check", *words])
    assert (options.local, options.db, options.json, options.parts) == (2, Path("x"), True, 64)
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


def test_times_are_written_as_people_do() -> None:
    written = {0: "0 s", 59: "59 s", 200: "3 min 20 s", 18_600: "5 h 10 min", 1e6: "12 days"}
    assert {seconds: span(seconds) for seconds in written} == written
