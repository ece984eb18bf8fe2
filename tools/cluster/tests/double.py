#!/usr/bin/env python3
"""Stands in for the program `grundy` where a test needs it slow, wrong, full or of another version.

It keeps the contract of `grundy tasks`, `task` and `finish` for toy work: a build writes shards of
repeated bytes, a check counts numbers that are divisible by seven. What is wrong with it is said
by the environment, as a list of words in $DOUBLE:

    version=2        it calls itself grundy 2
    seconds=0.5      a task takes so long
    fail=3           the task of this index fails
    full             there is no space left on the device
    flip             results have a bit flipped
    once=FILE        what is wrong is so only until this file is there, which the first time makes
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

WRONG = dict(word.partition("=")[::2] for word in os.environ.get("DOUBLE", "").split())
VERSION = f"grundy {WRONG.get('version', '1')}"


def digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def plan(kind: str, size: int, parts: int) -> list[dict[str, Any]]:
    count = min(size, parts)
    name = digest(VERSION, kind, size, parts)[:32]
    tasks = []
    for index in range(count):
        task = f"{kind}-{name[:16]}-{index:05}"
        shards = [f"toy/k1/{at:06}.zst" for at in range(size) if at * count // size == index]
        tasks.append(
            {
                "format": 1, "program": VERSION, "plan": name, "id": task, "index": index,
                "tasks": count, "parts": parts, "kind": kind,
                "command": [kind, "--size", str(size)], "what": f"toy: {index + 1} of {count}",
                "writes": shards if kind == "build" else [f"{task}.json"],
                "core_seconds": 1.0 + index % 3, "memory": 1, "bytes": 1,
                "run": f"grundy tasks {kind} --size {size} --parts {parts} | "
                f"grundy task --file - --index {index}",
            }
        )  # fmt: skip
    return tasks


def stop(message: str) -> None:
    print(f"grundy: {message}", file=sys.stderr)
    sys.exit(2)


def read(file: str) -> list[dict[str, Any]]:
    text = sys.stdin.read() if file == "-" else Path(file).read_text()
    tasks = [json.loads(line) for line in text.splitlines() if line.strip()]
    for task in tasks:
        made = plan(task["kind"], int(task["command"][2]), task["parts"])
        if task["index"] >= len(made) or made[task["index"]] != task:
            stop(f"the task {task['id']} was edited, or is of another version")
    return tasks


def values(path: str) -> bytes:
    return path.encode() * 5000


def work(task: dict[str, Any]) -> dict[str, Any]:
    if task["kind"] == "build":
        blake3 = [[path, hashlib.sha256(values(path)).hexdigest()] for path in task["writes"]]
        return {"shards": [{"path": p, "bytes": len(values(p)), "blake3": d} for p, d in blake3]}
    size = int(task["command"][2])
    numbers = range(task["index"] * 100, (task["index"] + 1) * 100)
    return {"count": sum(n % 7 == 0 for n in numbers), "size": size}


def whole(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(data)
    part.rename(path)


def valid(task: dict[str, Any], results: Path, db: Path, elsewhere: bool) -> bool:
    try:
        said = json.loads((results / f"{task['id']}.json").read_bytes())
        if said["id"] != task["id"] or said["blake3"] != digest(task["id"], said["result"]):
            return False
        if task["kind"] == "build" and not elsewhere:
            return all((db / path).read_bytes() == values(path) for path in task["writes"])
        return True
    except (OSError, ValueError, KeyError):
        return False


def is_wrong(word: str) -> bool:
    if word not in WRONG:
        return False
    if "once" in WRONG:
        try:
            os.close(os.open(WRONG["once"], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
    return True


def do(options: argparse.Namespace) -> None:
    for task in read(options.file):
        if task["id"] == options.id or task["index"] == options.index:
            break
    else:
        stop("there is no such task")
    results, db = Path(options.results), Path(options.db)
    if valid(task, results, db, elsewhere=False):
        print(json.dumps({"id": task["id"], "kept": True}))
        return
    time.sleep(float(WRONG.get("seconds", "0")))
    if WRONG.get("fail") == str(task["index"]) and is_wrong("fail"):
        stop("there is a stone in the works")
    if is_wrong("full"):
        stop("cannot write 000001.zst: No space left on device (os error 28)")
    if task["kind"] == "build":
        for path in task["writes"]:
            whole(db / path, values(path))
    result = work(task)
    sealed = {"format": 1, "program": VERSION, "plan": task["plan"], "id": task["id"]}
    data = json.dumps({**sealed, "blake3": digest(task["id"], result), "result": result}).encode()
    if is_wrong("flip"):
        at = data.rindex(b'"result"') + 12
        data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    whole(results / f"{task['id']}.json", data)


def finish(options: argparse.Namespace) -> int:
    tasks = read(options.file)
    results, db = Path(options.results), Path(options.db)
    left = [t for t in tasks if not valid(t, results, db, options.from_results)]
    if options.left:
        print("".join(f"{json.dumps(task)}\n" for task in left), end="")
        return 0
    if left or len(tasks) != tasks[0]["tasks"]:
        stop(f"{len(left)} tasks have no result, the first is {left[0]['id'] if left else '?'}")
    found = [json.loads((results / f"{t['id']}.json").read_bytes())["result"] for t in tasks]
    if tasks[0]["kind"] == "build":
        shards = [shard for one in found for shard in one["shards"]]
        whole(db / "manifest.json", json.dumps(shards).encode())
        print(f"built {len(shards)} shards")
        return 0
    print(f"{sum(one['count'] for one in found)} of {len(tasks) * 100} numbers")
    return 1 if tasks[0]["kind"] == "check" and tasks[0]["command"][2] == "13" else 0


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        print(VERSION)
        return 0
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="command", required=True)
    tasks = sub.add_parser("tasks")
    tasks.add_argument("kind")
    tasks.add_argument("--size", type=int, default=12)
    tasks.add_argument("--parts", type=int, required=True)
    tasks.add_argument("--db")
    tasks.add_argument("--memory")
    for name in ("task", "finish"):
        one = sub.add_parser(name)
        for option in ("--file", "--id", "--results", "--db", "--threads", "--memory"):
            one.add_argument(option)
        one.add_argument("--index", type=int)
        for flag in ("--left", "--from-results", "--json"):
            one.add_argument(flag, action="store_true")
        one.set_defaults(results="results", db="db")
    options = parser.parse_args()
    if options.command == "tasks":
        for task in plan(options.kind, options.size, options.parts):
            print(json.dumps(task))
        return 0
    if options.command == "task":
        do(options)
        return 0
    return finish(options)


if __name__ == "__main__":
    sys.exit(main())
