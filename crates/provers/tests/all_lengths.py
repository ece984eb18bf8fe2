"""Proves the statements of certificates again, with its own short code for the rules.

Reads certificates from standard input, one per line, and prints a line for each. Also checks two
proofs of docs/PROOFS.md on small rows. Uses no code of the project.
"""

import json
import sys
from functools import cache
from itertools import pairwise, product

sys.setrecursionlimit(100_000)


def ends(game, row):
    """Return the options of a row, each with the players that can move to it."""
    if len(row) == 1:
        least = {"misere-end-nim": 1, "loop-end-nim": row[0]}.get(game, 0)
        return [("LR", (p,) if p else ()) for p in range(least, row[0])]
    first, *middle, last = row
    whose = ("L", "R") if game == "partizan-end-nim" else ("LR", "LR")
    options = [(whose[0], ((p,) if p else ()) + row[1:]) for p in range(first)]
    options += [(whose[1], row[:-1] + ((p,) if p else ())) for p in range(last)]
    if game == "end-wythoff":
        options += [("LR", tuple(p for p in (first - t, *middle, last - t) if p))
                    for t in range(1, min(first, last) + 1)]
    return options


def solve(game, of, row, known):
    if not row and game in ("misere-end-nim", "loop-end-nim"):
        return None
    options = [(who, known(option)) for who, option in ends(game, row)] if row else []
    if of == "values":
        values = {value for _, value in options}
        return next(v for v in range(len(values) + 1) if v not in values)
    left = any("L" in who and value in "LP" for who, value in options)
    right = any("R" in who and value in "RP" for who, value in options)
    return {(0, 0): "P", (1, 0): "L", (0, 1): "R", (1, 1): "N"}[left, right]


def evaluator(game, of):
    @cache
    def value(row):
        return solve(game, of, row, value)
    return value


def automaton(c):
    def after(state, row):
        for pile in row:
            state = c["transitions"][state][pile - 1]
        return state

    def said(row):
        return c["outputs"][after(0, row)]

    def obeys(row):
        assert said(row) == solve(c["game"], c["of"], row, said), row

    piles = range(1, c["piles"] + 1)
    value = evaluator(c["game"], c["of"])
    length = 10 if c["piles"] <= 2 else 5
    for row in (row for k in range(length) for row in product(piles, repeat=k)):
        assert said(row) == value(row), row
    obeys(())
    for pile in piles:
        obeys((pile,))
    seen, queue = set(), [()]
    for middle in queue:
        states = (after(0, middle), *(after(0, (x, *middle)) for x in piles))
        if states not in seen:
            seen.add(states)
            for a, b in product(piles, piles):
                obeys((a, *middle, b))
            queue += [(*middle, pile) for pile in piles]
    assert len(seen) == c["tuples"]
    return f"{c['states']} states, {len(seen)} tuples"


def family(c):
    value = evaluator(c["game"], c["of"])
    (e, f), start, table = c["step"], c["start"], c["values"]
    u, w, v = (tuple(c[name]) for name in ("left", "middle", "right"))
    deep, wide = len(table), len(table[0])

    def cell(i, j):
        return value(u * i + w + v * j)

    for i, j in product(range(deep), range(wide)):
        assert table[i][j] == cell(i, j), (i, j)
    # Beyond the listed values, check only that the values repeat along the step.
    for i, j in product(range(start, 15), repeat=2):
        assert cell(i, j) == cell(i + e, j + f), (i, j)
    for value_, i, j in c["nonregular"]:
        far = {cell(i, j + e * f * k) == value_ for k in range(2, 5)}
        assert far == {cell(i, j) != value_}, (value_, i, j)
    shown = "".join(f" {value_}" for value_, _, _ in c["nonregular"])
    return f"step [{e},{f}] from {start}, {c['tiles']} tiles, no regular set:{shown}"


def colourings(n, length):
    """Each row of End-Nim has its own sequence of colours; it ends in 0 iff the row's value is 0."""
    value, walks = evaluator("end-nim", "values"), set()
    for row in product(range(1, n + 1), repeat=length):
        walk = [0]
        for k, b in enumerate(row):
            after = {pile: value((*row[:k], pile)) for pile in range(1, n + 1)}
            zero = [pile for pile in after if after[pile] == 0]
            others = zero if b == walk[-1] and zero else [b]
            walk.append(others[0] if after[b] else 0)
        assert all(c != d for c, d in pairwise(walk)) and max(walk) <= n, row
        assert (walk[-1] == 0) == (value(row) == 0), row
        walks.add(tuple(walk))
    assert len(walks) == n ** length


def growth(k, most):
    """In End-Wythoff, b - a grows by one along the P-positions a k b with b > a and large a."""
    value = evaluator("end-wythoff", "outcomes")
    r = next(b for b in range(100) if value(k + ((b,) if b else ())) == "P")
    all_pairs = ((a, b) for a in range(1, most) for b in range(a + 1, 2 * a + 2))
    lost = [(a, b) for a, b in all_pairs if value((a, *k, b)) == "P"]
    for (a, b), (c, d) in pairwise(lost):
        assert c <= 3 * r + 27 or d - c == b - a + 1, (k, a, b, c, d)


for n, length in ((1, 5), (2, 7), (3, 5), (4, 4)):
    colourings(n, length)
for k in ((1,), (2,), (1, 1), (2, 1)):
    growth(k, 45)
for line in sys.stdin:
    certificate = json.loads(line)
    made = automaton if certificate["format"] == "grundy-automaton" else family
    print(made(certificate))
