"""Lines, paths and messages, and what is refused; files, options, progress."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import SMALL, TINY
from harness import Wrong, once

from grundy_cluster import cli, contract, files, program, worker
from grundy_cluster.contract import Answer, Order
from grundy_cluster.errors import ContractError, ProgramError
from grundy_cluster.progress import Progress, span


@pytest.fixture(scope="session")
def printed(grundy: str) -> list[str]:
    """Give the lines of a build of three tasks."""
    return [task.line for task in program.tasks(grundy, "build", TINY, 3)]


def test_lines_are_read_as_they_are_printed(grundy: str, printed: list[str]) -> None:
    others = [task.line for task in program.tasks(grundy, "build", SMALL, 3)]
    tasks = contract.read_tasks("\n".join(["", *printed, ""]))
    assert [task.index for task in tasks] == [0, 1, 2]
    assert contract.lines(tasks) == "".join(f"{line}\n" for line in printed)
    assert tasks[1].result == f"{tasks[1].id}.json"
    with pytest.raises(ContractError, match="2 different plans"):
        contract.read_tasks("\n".join([*printed, *others]))
    with pytest.raises(ContractError, match="twice"):
        contract.read_tasks("\n".join([*printed, *printed]))


def test_a_line_that_was_edited_is_refused(printed: list[str]) -> None:
    line = json.loads(printed[1])
    wrong: dict[str, tuple[Any, ...]] = {
        "format": (2,),
        "id": (
            "build-0123456789abcdef-1/../../x",
            "../build-0123456789abcdef-00001",
            "build-0123456789abcdef-00001\n",
            7,
        ),
        "plan": ("0" * 32, "x"),
        "index": (2, -1, True),
        "tasks": (1,),
        "kind": ("erase",),
        "writes": (
            ["../x"], ["/etc/passwd"], ["a/../../x"], ["a\\..\\x"], ["c:x"], [""], "x", [7],
        ),
        "core_seconds": (-1, "1"),
        "run": (None,),
    }  # fmt: skip
    contract.read_task(json.dumps(line))
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ContractError):
                contract.read_task(json.dumps({**line, name: value}))
    for text in ("", "{", "[]", "7", "[" * 100_000, '"x"'):
        with pytest.raises(ContractError):
            contract.read_tasks(text)


def test_no_path_leaves_its_folder_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "out").symlink_to(tmp_path)
    assert contract.inside(tmp_path / "db", "a/b") == tmp_path / "db/a/b"
    with pytest.raises(ContractError, match="leaves the folder"):
        contract.inside(tmp_path / "db", "out/x")


def test_messages_come_back_as_they_were_sent(printed: list[str]) -> None:
    task = contract.read_task(printed[0])
    order = Order(task, program="g", db="d", options=("--threads", "2"), store="s3://b/x")
    assert contract.read_order(order.text()) == order
    answer = Answer(task.id, "kept", "{}", worker="w", seconds=1.5)
    assert contract.read_answer(answer.message()) == answer
    others = (answer.message().replace('"format": 1', '"format": 2'), "{}", "[]", "")
    unknown = (Answer("x", "well", "").message(), Answer("x", "done", 7).message())  # type: ignore[arg-type]
    for said in (None, b"{}", {"id": "x"}, *others, *unknown):
        with pytest.raises(ContractError):
            contract.read_answer(said)


def test_the_program_is_asked_for_its_name(grundy: str, tmp_path: Path) -> None:
    assert program.version(grundy).startswith("grundy ")
    with pytest.raises(ProgramError, match="does not say that it is grundy"):
        program.version("/bin/true")
    with pytest.raises(ProgramError, match="there is no program"):
        program.version(str(tmp_path / "grundy"))


def test_a_task_waits_for_whoever_finishes(grundy: str, wrong: Wrong, tmp_path: Path) -> None:
    # The program refuses once, as it does while others publish tables of the same database.
    said = 'echo "grundy: another build, or tasks of one, are at work in db" >&2; exit 2'
    waits = wrong(once(tmp_path / "seen", said))
    task = program.tasks(grundy, "build", TINY, 4)[1]
    answer = worker.answer(Order(task=task, program=waits, db=str(tmp_path / "db")))
    assert answer.outcome == "done", answer
    assert (tmp_path / "seen").exists()


def test_options_of_ours_are_parted_from_others() -> None:
    words = ["nim", "g > 1", "--local", "2", "--length=3", "--max-pile", "5", "--db=x", "--json"]
    options = cli.read("check", words)
    assert (options.local, options.db, options.json, options.parts) == (2, Path("x"), True, 64)
    assert options.options == ["nim", "g > 1", "--length=3", "--max-pile", "5"]
    options = cli.read("check", ["a", "--local=1", "--", "--db", "b"])
    assert (options.db, options.options) == (None, ["a", "--", "--db", "b"])
    for wrong in ([], ["--local", "0"], ["--local", "1", "--scheduler", "x"], ["--local"]):
        with pytest.raises(SystemExit):
            cli.read("check", wrong)


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    for data in (b"one", b"two"):
        files.write_whole(tmp_path / "a", data)
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
        assert (tmp_path / "a").read_bytes() == data
    with pytest.raises(FileNotFoundError):
        files.write_whole(tmp_path / "no" / "a", b"")


def test_progress_says_what_is_left() -> None:
    assert [span(s) for s in (0, 59, 200, 18_600, 1e6)] == [
        "0 s", "59 s", "3 min 20 s", "5 h 10 min", "12 days",
    ]  # fmt: skip
    out = io.StringIO()
    progress = Progress(4, 8.0, out)
    progress.done(2.0)
    line = progress.line(3)
    assert line.startswith("1 of 4 tasks, 3 workers, ")
    assert line.endswith(" left")
    progress.say("hello")
    assert out.getvalue() == "grundy-cluster: hello\n"
