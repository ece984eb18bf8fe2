"""Tests the order in which the dispatcher sends tasks, with a toy of Dask that runs none."""

import dataclasses
from types import SimpleNamespace
from typing import Any

from grundy_cluster.cluster import RESOURCE
from grundy_cluster.contract import Answer, Order, Task
from grundy_cluster.dispatcher import Dispatcher
from grundy_cluster.settings import Settings


def chain(count: int) -> list[Task]:
    """Return tasks that take turns; each takes a second."""
    ids = [f"c{index}" for index in range(count)]
    return [task(name, *ids[max(index - 1, 0) : index]) for index, name in enumerate(ids)]


def task(name: str, *after: str, seconds: float = 1.0) -> Task:
    return Task(name, name, "grundy", "check", 0, name, after, (), (), seconds, "")


class Toy:
    """A job and a cluster of two workers. A task ends at once, unless it hangs."""

    def __init__(self, tasks: list[Task], hangs: str = "") -> None:
        self.hangs, self.sent = hangs, list[str]()
        self.tasks, self.left, self.settings = tasks, {one.id for one in tasks}, Settings()
        self.status, self.dashboard_link = "running", ""
        self.scheduler = SimpleNamespace(address="")
        self.dispatcher = Dispatcher(self, self)  # type: ignore[arg-type]

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": {name: {"resources": {RESOURCE: 1}} for name in "ab"}}

    def submit(self, _: object, order: Order, **_options: object) -> Any:
        self.sent.append(order.line)
        return SimpleNamespace(
            key=f"{order.line} {len(self.sent)}",
            status="finished",
            result=lambda timeout: Answer("done", ""),
            add_done_callback=lambda call: call,
            release=lambda: None,
        )

    def accept(self, answers: list[tuple[Task, str]]) -> dict[str, str]:
        self.left -= {one.id for one, _ in answers}
        return {}

    def step(self) -> None:
        """Send tasks; those that do not hang end."""
        self.dispatcher._find_workers()
        self.dispatcher._send()
        for one in self.dispatcher.submitted.values():
            if one.task.id != self.hangs:
                self.dispatcher.ended.put(one.future)
        self.dispatcher._collect()


def test_a_task_of_a_chain_begins_as_soon_as_it_can() -> None:
    others = [task(f"o{index}", seconds=2.0) for index in range(40)]
    toy = Toy([*others[:20], *chain(8), *others[20:]])
    while toy.left:
        toy.step()
    # Each time the dispatcher sends four tasks, of which the longest path is the first.
    assert toy.sent[0:28:4] == [f"c{index}" for index in range(7)]
    assert sorted(toy.sent) == sorted(one.id for one in toy.tasks)
    assert [name for name in toy.sent if name[0] == "o"] == [one.id for one in others]


def test_a_task_waits_for_all_that_it_names() -> None:
    toy = Toy([task("a"), task("b"), task("c", "a", "b", "done"), task("d", "c")], hangs="b")
    toy.step()
    assert toy.sent == ["a", "b"]
    toy.hangs = ""
    for _ in range(3):
        toy.step()
    assert (toy.sent, toy.left) == (["a", "b", "c", "d"], set())


def test_a_slow_task_gets_a_copy_although_a_chain_waits_for_it() -> None:
    toy = Toy([*chain(2), *(task(f"o{index}") for index in range(3))], hangs="c0")
    toy.step()
    for key, one in toy.dispatcher.submitted.items():
        toy.dispatcher.submitted[key] = dataclasses.replace(one, begun=one.begun - 100)
    toy.step()
    assert toy.sent == ["c0", "o0", "o1", "o2", "c0"]
