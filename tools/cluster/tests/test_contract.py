"""Lines, paths and messages, and what is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import script
from harness import DOUBLE

from grundy_cluster import contract, program, worker
from grundy_cluster.contract import Answer, Means, Order
from grundy_cluster.errors import ContractError, ProgramError


def printed(kind: str = "build") -> list[str]:
    command = [str(DOUBLE), "tasks", kind, "--parts", "3"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(printed()[1]), **fields})


def test_lines_are_read_as_they_are_printed() -> None:
    tasks = contract.read_tasks("\n".join(["", *printed(), ""]))
    assert [task.index for task in tasks] == [0, 1, 2]
    assert contract.lines(tasks) == "".join(f"{line}\n" for line in printed())
    assert tasks[1].result == f"{tasks[1].id}.json"


@pytest.mark.parametrize(
    "fields",
    [
        {"format": 2},
        {"id": "build-0123456789abcdef-1/../../x"},
        {"id": "../build-0123456789abcdef-00001"},
        {"id": "build-0123456789abcdef-00001\n"},
        {"id": 7},
        {"plan": "0" * 32},
        {"plan": "x"},
        {"index": 2},
        {"index": -1},
        {"index": True},
        {"tasks": 1},
        {"kind": "erase"},
        {"writes": ["../x"]},
        {"writes": ["/etc/passwd"]},
        {"writes": ["a/../../x"]},
        {"writes": ["a\\..\\x"]},
        {"writes": ["c:x"]},
        {"writes": [""]},
        {"writes": "x"},
        {"core_seconds": -1},
        {"core_seconds": "1"},
        {"run": None},
    ],
)
def test_a_line_that_was_edited_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ContractError):
        contract.read_task(changed(**fields))


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "[" * 100_000, '"x"'])
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(ContractError):
        contract.read_tasks(text)


def test_plans_do_not_mix() -> None:
    with pytest.raises(ContractError, match="2 different plans"):
        contract.read_tasks("\n".join([*printed("build"), *printed("check")]))
    with pytest.raises(ContractError, match="twice"):
        contract.read_tasks("\n".join([*printed(), *printed()]))


def test_no_path_leaves_its_folder_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "out").symlink_to(tmp_path)
    assert contract.inside(tmp_path / "db", "a/b") == tmp_path / "db/a/b"
    with pytest.raises(ContractError, match="leaves the folder"):
        contract.inside(tmp_path / "db", "out/x")


def test_messages_come_back_as_they_were_sent() -> None:
    task = contract.read_task(printed()[0])
    order = Order(
        task=task, program="g", db="d", means=Means(2, "1G", "avx2", True), store="s3://b/x"
    )
    assert contract.read_order(order.text()) == order
    answer = Answer(id=task.id, result="{}", worker="w", seconds=1.5, kept=True)
    assert contract.read_answer(answer.text()) == answer


@pytest.mark.parametrize(
    "said",
    [
        None,
        b"{}",
        {"id": "x"},
        "{}",
        "[]",
        Answer(id="x").text(),
        Answer(id="x", result="r", failed="f").text(),
        Answer(id="x", result="r").text().replace('"format": 1', '"format": 2'),
        json.dumps({"format": 1, "id": "x", "worker": "w", "result": {"a": 1}}),
    ],
)
def test_what_is_no_answer_is_refused(said: object) -> None:
    with pytest.raises(ContractError):
        contract.read_answer(said)


def test_our_options_stand_before_what_is_no_option() -> None:
    tasks = program.tasks(str(DOUBLE), "build", ("--size", "5"), 9)
    assert len(tasks) == 5
    assert program._placed(["a", "--", "b"], ["--parts", "1"]) == ["a", "--parts", "1", "--", "b"]


def test_the_program_is_asked_for_its_name(tmp_path: Path) -> None:
    assert program.version(str(DOUBLE)) == "grundy 1"
    with pytest.raises(ProgramError, match="does not say that it is grundy"):
        program.version("/bin/true")
    with pytest.raises(ProgramError, match="there is no program"):
        program.version(str(tmp_path / "grundy"))


def test_a_task_waits_for_whoever_finishes(double: str, tmp_path: Path) -> None:
    # The program refuses once, as it does while others publish tables of the same database.
    text = f'case $1 in task) if [ ! -e "{tmp_path}/seen" ]; then touch "{tmp_path}/seen"'
    refuses = (
        'echo "grundy: another build, or tasks of one, are at work in db" >&2; exit 2; fi ;; esac'
    )
    waits = script(tmp_path / "grundy", f'{text}; {refuses}; exec "{double}" "$@"')
    task = program.tasks(double, "build", (), 4)[1]
    said = worker.answer(Order(task=task, program=waits, db=str(tmp_path / "db")))
    assert said.result is not None, said
    assert (tmp_path / "seen").exists()
