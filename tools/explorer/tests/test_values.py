"""Compares values on the page with those of the program, and tests that memory use does not grow."""

import json
import os
import random
import subprocess
import tempfile

GRUNDY = os.environ["GRUNDY"]
EMPTY = tempfile.mkdtemp()  # a folder without tables


def query(game, positions):
    told = subprocess.run(
        [GRUNDY, "query", game, "-", "--json", "--db", EMPTY],
        input="\n".join(positions),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in told.stdout.splitlines()]


def some(game, pick):
    """Returns a random position of a game."""
    if game == "long-global-nim":
        pile = pick.randint(1, 14)
        moves = [move for move in range(1, pile + 1) if pick.random() < 0.6]
        return f"{pile}{{{','.join(map(str, moves))}}}"
    if game == "short-global-nim":
        piles = [pick.randint(1, 40) for _ in range(pick.randint(1, 2))]
        last = pick.randint(0, 40)
        return ",".join(map(str, piles)) + (f"/{last}" if last else "")
    small = game in ("misere-nim", "end-wythoff")
    length = pick.randint(1, 3 if small else 7)
    return ",".join(str(pick.randint(1, 9 if small else 64)) for _ in range(length))


def games():
    told = subprocess.run([GRUNDY, "games", "--json"], capture_output=True, text=True, check=True)
    listed = map(json.loads, told.stdout.splitlines())
    return [game["name"] for game in listed if game["built_in"]]


def test_500_random_positions_of_all_games(show):
    pick = random.Random(19)
    names = games()
    assert len(names) >= 9
    page = show("#position/end-nim/1")
    asked = 0
    while asked < 500:
        for game in names:
            positions = [some(game, pick) for _ in range(14)]
            for text, known in zip(positions, query(game, positions), strict=True):
                value, outcome, shown, wrong = page.evaluate("(hash) => looks.ask(hash)", f"#position/{game}/{text.replace('/', '%2F')}")
                assert wrong is None, (game, text, wrong)
                expected = None if known["grundy"] is None else str(known["grundy"])
                assert (value, shown) == (expected, known["position"]), (game, text)
                assert outcome.startswith(known["outcome"] + ":"), (game, text)
                asked += 1
    print(f"{asked} positions")


def test_memory_stays_flat_over_1000_positions(show):
    page = show("#position/end-nim/1")
    pick = random.Random(7)
    client = page.context.new_cdp_session(page)

    def heap():
        client.send("HeapProfiler.collectGarbage")
        client.send("Performance.enable")
        found = client.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in found}

    def ask(count):
        for _ in range(count):
            page.evaluate("(hash) => looks.ask(hash)", f"#position/end-nim/{some('end-nim', pick)}")

    ask(200)
    before = heap()
    ask(1000)
    after = heap()
    print({name: (before[name], after[name]) for name in ("JSHeapUsedSize", "Nodes")})
    assert after["JSHeapUsedSize"] < before["JSHeapUsedSize"] * 1.5 + (4 << 20)
    assert after["Nodes"] < before["Nodes"] + 3000
