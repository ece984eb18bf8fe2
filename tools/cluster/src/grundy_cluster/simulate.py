"""What a run on 10 to 10,000 cores would do, with failures, stragglers and a busy driver.

A simulation, event by event, of the driver of this package: nodes take the next task as they come
free; each pays what a task costs beside its work (start, scheduler, the base of the table that
every task makes anew); nodes fail at random, lose what they were doing and come back; some tasks
are slow; the driver looks at one result after another. Nothing of it is measured; the numbers
that go in are (docs/CLUSTER.md says which).
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from grundy_cluster.errors import ClusterError
from grundy_cluster.progress import span

EXAMPLES = """\
examples:
  grundy-cluster simulate --core-hours 5000
  grundy-cluster simulate --core-hours 5000 --tasks 2000,20000 --cores 1000,10000 --mtbf 24
  grundy-cluster simulate --core-hours 20 --bytes 9.4e9 --cores 10,100 --json
"""

# Of one shard: its values, and what the manifest says about it (docs/CLUSTER.md).
SHARD_BYTES = 64 << 20
MANIFEST_BYTES = 100

# More tasks than this are not simulated: the machine that does so has one core.
_MOST = 2_000_000


@dataclass(frozen=True, slots=True)
class World:
    """What goes in. Times in seconds."""

    work: float  # core seconds of the whole
    tasks: int
    nodes: int
    node_cores: int = 1
    base: float = 0.1  # core seconds that every task pays for the levels below
    overhead: float = 0.05  # of a task on its node: process, scratch folder, network
    driver: float = 0.01  # of the driver for each result
    mtbf: float = math.inf  # of a node, between failures
    repair: float = 300.0
    stragglers: float = 0.01  # the share of tasks that are slow
    slowness: float = 4.0  # by how much
    spread: float = 0.1  # of the time of tasks otherwise
    again: bool = True  # stragglers are begun once more at the end
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes out."""

    cores: int
    tasks: int
    wall: float
    efficiency: float  # work over what the cores could have done meanwhile
    failures: int
    repeated: int
    lost: float  # core seconds of work that died with its node, or was done twice
    base: float  # core seconds for levels below
    driver: float  # the share of the time that the driver was busy
    ideal: float


def simulate(world: World) -> Outcome:
    """Run it once."""
    if world.tasks > _MOST:
        raise ClusterError(f"{world.tasks} tasks are too many to simulate; at most {_MOST}")
    dice = random.Random(world.seed)
    length = (world.work / world.tasks + world.base) / world.node_cores

    def takes() -> float:
        slow = world.slowness if dice.random() < world.stragglers else 1.0
        return world.overhead + length * slow * max(0.2, dice.gauss(1.0, world.spread))

    left = list(range(world.tasks - 1, -1, -1))
    done = bytearray(world.tasks)
    running: dict[int, list[tuple[int, float]]] = {}
    # (when, order, node, task, began, whether the node fails first)
    events: list[tuple[float, int, int, int, float, bool]] = []
    idle: list[int] = []
    count = failures = repeated = 0
    lost = 0.0
    driver_free = busy = look = 0.0
    finished = 0
    end = 0.0

    def start(node: int, task: int, now: float) -> None:
        nonlocal count
        needs = takes()
        fails = dice.expovariate(1.0 / world.mtbf) if world.mtbf < math.inf else math.inf
        count += 1
        running.setdefault(task, []).append((node, now))
        heapq.heappush(events, (now + min(needs, fails), count, node, task, now, fails < needs))

    def give(node: int, now: float) -> None:
        nonlocal repeated, look
        while left:
            task = left.pop()
            if not done[task]:
                start(node, task, now)
                return
        # Looking is not free; the driver looks now and then.
        if world.again and now >= look:
            late = now - 4.0 * (length + world.overhead)
            for task, who in running.items():
                if len(who) == 1 and who[0][1] < late:
                    repeated += 1
                    start(node, task, now)
                    return
            look = now + length / 10
        idle.append(node)

    for node in range(world.nodes):
        give(node, 0.0)
    while finished < world.tasks:
        now, _, node, task, began, failed = heapq.heappop(events)
        if task < 0:
            give(node, now)
            continue
        running[task].remove((node, began))
        if not running[task]:
            del running[task]
        if failed:
            failures += 1
            lost += (now - began) * world.node_cores
            if not done[task] and task not in running:
                left.append(task)
                repeated += 1
                if idle:
                    give(idle.pop(), now)
            count += 1
            heapq.heappush(events, (now + world.repair, count, node, -1, now, False))
            continue
        if done[task]:
            lost += (now - began) * world.node_cores
        else:
            done[task] = 1
            finished += 1
            driver_free = max(driver_free, now) + world.driver
            busy += world.driver
            end = max(end, now, driver_free)
        give(node, now)
        # Nodes that wait look again for a task that takes too long.
        if idle and world.again and not left and now >= look:
            give(idle.pop(), now)
    cores = world.nodes * world.node_cores
    return Outcome(
        cores=cores,
        tasks=world.tasks,
        wall=end,
        efficiency=world.work / (end * cores),
        failures=failures,
        repeated=repeated,
        lost=lost,
        base=world.base * (world.tasks + repeated),
        driver=busy / end,
        ideal=world.work / cores,
    )


def worlds(options: argparse.Namespace) -> Iterator[World]:
    """Give one for each number of cores and of tasks that was asked for."""
    work = options.core_hours * 3600
    for cores in options.cores:
        nodes = max(1, cores // options.node_cores)
        for tasks in options.tasks or [max(8 * nodes, math.ceil(work / 3600 / options.node_cores))]:
            yield World(
                work=work,
                tasks=tasks,
                nodes=nodes,
                node_cores=min(cores, options.node_cores),
                base=options.base,
                overhead=options.overhead,
                driver=options.driver,
                mtbf=options.mtbf * 3600 if options.mtbf else math.inf,
                repair=options.repair,
                stragglers=options.stragglers,
                slowness=options.slowness,
                again=not options.no_repeats,
                seed=options.seed,
            )


def run(options: argparse.Namespace) -> int:
    """Print a table, or JSON lines."""
    outcomes = [simulate(world) for world in worlds(options)]
    if options.json:
        for outcome in outcomes:
            print(json.dumps(asdict(outcome)))
        return 0
    print(f"simulated, not measured: {options.core_hours:g} core hours, seed {options.seed}")
    print("  cores     tasks  wall time       of ideal  failures  again  driver busy")
    for one in outcomes:
        print(
            f"{one.cores:7,} {one.tasks:9,}  {span(one.wall):14} {one.efficiency:8.0%} "
            f"{one.failures:9,} {one.repeated:6,} {one.driver:12.1%}"
        )
    if options.bytes:
        shards = math.ceil(options.bytes / SHARD_BYTES)
        megabytes = shards * MANIFEST_BYTES / 1e6
        print(
            f"{options.bytes:.3g} bytes of values are {shards:,} shards of 64 MiB: as many files, "
            f"and a manifest of {megabytes:.3g} MB"
        )
    return 0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to a parser."""

    def counts(text: str) -> list[int]:
        numbers = [int(float(part)) for part in text.split(",")]
        if not numbers or min(numbers) < 1:
            raise argparse.ArgumentTypeError(f"'{text}' is no list of counts, as in 10,100")
        return numbers

    def number(least: float, most: float = 1e12) -> Callable[[str], float]:
        def read(text: str) -> float:
            value = float(text)
            if not least <= value <= most:
                raise argparse.ArgumentTypeError(f"{text} is not from {least:g} to {most:g}")
            return value

        return read

    def add(
        name: str, kind: Callable[[str], object], default: object, metavar: str, text: str
    ) -> None:
        shown = "" if default is None else f" [default: {default}]"
        parser.add_argument(
            name,
            type=kind,
            default=default,
            metavar=metavar,
            help=text + shown,
        )

    add("--core-hours", number(1e-6), 1000.0, "H", "the work")
    parser.add_argument(
        "--cores",
        type=counts,
        default=[10, 100, 1000, 10000],
        metavar="N,N",
        help="[default: 10,100,1000,10000]",
    )
    parser.add_argument(
        "--tasks",
        type=counts,
        metavar="N,N",
        help="[default: tasks of at most an hour, and eight for each node]",
    )
    add("--node-cores", lambda text: counts(text)[0], 1, "N", "cores of a worker")
    add("--base", number(0), 0.1, "S", "core seconds that each task pays for the levels below")
    add("--overhead", number(0), 0.05, "S", "seconds of each task beside its work")
    add("--driver", number(0), 0.01, "S", "seconds of the driver for each result")
    add("--mtbf", number(0), 0.0, "H", "hours between failures of a node; 0: none fails")
    add("--repair", number(0), 300.0, "S", "seconds until a node is back")
    add("--stragglers", number(0, 1), 0.01, "P", "the share of tasks that are slow")
    add("--slowness", number(1), 4.0, "X", "by how much they are")
    add("--bytes", number(0), 0.0, "B", "values stored, to count files")
    add("--seed", int, 1, "N", "of the dice")
    parser.add_argument("--no-repeats", action="store_true", help="do not begin stragglers anew")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
