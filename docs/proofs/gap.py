"""Asks a SAT solver for numbers as in the gap lemma of docs/CONJECTURE.md, or for families.

    python3 -m venv gap && gap/bin/pip install python-sat==1.9.dev17
    gap/bin/python docs/proofs/gap.py 24 3-60 3-61 one-300

There are three kinds of question. The first two ask for a number x(d) for each move d, and a set of
piles for each level. For every pile n of the set of level I and for each i <= I - 2, the set of
level i must contain a pile m with i <= x(n - m) <= I - 1. An additional condition is

    24        the sets of levels 23 and 24 are not empty;
    3-60      for every n from 3 to 60, of level I, and for each i <= I - 2, the set of level i
              contains a pile m with i <= x(n - m).

    one-300   The third kind asks for one family for each n up to 300, which uses only these
              families of smaller piles and can be chosen after any earlier moves.

The answer to each question is one line of JSON: a solution, checked against these conditions, or
the fact that none exists, and the seconds of processor time.
"""

import argparse
import json
import re
import sys
import time
from itertools import count

from pysat.solvers import Solver


def piles(level):
    """Returns the piles of a level: from T(level) to T(level + 1) - 1."""
    first = level * (level + 1) // 2
    return range(first, first + level + 1)


def level_of(n):
    """Returns the level of a pile."""
    return next(level for level in count() if n in piles(level))


def clauses(top, roots):
    """Returns the clauses for levels up to `top`, and the variables of piles and thresholds."""
    fresh = count(1)
    level = {n: i for i in range(top + 1) for n in piles(i)}
    chosen = {n: next(fresh) for n in level}
    # The variable least[d][i] means x(d) >= i.
    least = {d: {i: next(fresh) for i in range(1, top + 1)} for d in range(1, max(level) + 1)}
    found = []
    for of_move in least.values():
        found += [[-of_move[i + 1], of_move[i]] for i in range(1, top)]
    for n in range(3, max(level) + 1):
        for i in range(level[n] - 1):
            far, near = [], []
            for m in piles(i):
                far.append(next(fresh))
                near.append(next(fresh))
                found += [[-far[-1], chosen[m]], [-near[-1], far[-1]]]
                found.append([-near[-1], -least[n - m][level[n]]])
                if i > 0:
                    found.append([-far[-1], least[n - m][i]])
            found.append([-chosen[n], *near])
            if n in roots:
                found.append(far)
    if not roots:
        found += [[chosen[n] for n in piles(i)] for i in (top - 1, top)]
    return found, chosen, least


def holds(x, sets, roots):
    """True if thresholds and sets of piles satisfy the conditions of the gap lemma."""
    if not roots and not (sets[-1] and sets[-2]):
        return False
    wanted = [(n, level, level - 1) for level, of in enumerate(sets) for n in of]
    wanted += [(n, level, len(x)) for level in range(len(sets)) for n in piles(level) if n in roots]
    return all(
        any(i <= x[n - m] <= most for m in sets[i])
        for n, level, most in wanted
        for i in range(level - 1)
    )


def solve(question, solver_name):
    """Returns the true variables of a solution (or None) and the seconds of processor time."""
    start = time.process_time()
    with Solver(name=solver_name, bootstrap_with=question) as solver:
        true = {v for v in solver.get_model() if v > 0} if solver.solve() else None
    return true, time.process_time() - start


def thresholds(top, roots, solver_name):
    """Returns thresholds with sets of piles (or None) and the seconds that the search took."""
    question, chosen, least = clauses(top, roots)
    true, seconds = solve(question, solver_name)
    if true is None:
        return None, seconds
    sets = [[n for n in piles(i) if chosen[n] in true] for i in range(top + 1)]
    x = [0] + [sum(v in true for v in of_move.values()) for of_move in least.values()]
    assert holds(x, sets, roots)
    return {"x": x, "piles": sets}, seconds


def one_family_each(last, solver_name):
    """Returns the piles that a family of each n chooses (or None) and the seconds of the search."""
    fresh = count(1)
    level = [level_of(n) for n in range(last + 1)]
    uses = [[next(fresh) for _ in range(n + 1)] for n in range(last + 1)]
    goes, question = {}, []
    for n in range(last + 1):
        question += [[uses[n][d]] for d in range(1, level[n] + 1)]
        for i in range(level[n] - 1):
            for m in piles(i):
                way = goes[n, m] = next(fresh)
                question.append([-way, uses[n][n - m]])
                if n - m <= m:
                    question.append([-way, -uses[m][n - m]])
                question += [[-way, -uses[m][d], uses[n][d]] for d in range(level[n] + 1, m + 1)]
            question.append([goes[n, m] for m in piles(i)])
    true, seconds = solve(question, solver_name)
    if true is None:
        return None, seconds
    families, used = [], []
    for n in range(last + 1):
        ways = range(level[n] - 1)
        family = [next(m for m in piles(i) if goes[n, m] in true) for i in ways]
        assert all(n - m not in used[m] for m in family)
        below = [used[m] | {n - m} for m in family]
        used.append(set(range(1, level[n] + 1)).union(*below))
        families.append(family)
    return {"families": families}, seconds


def answer(asked, solver_name):
    """Returns the answer to one question, ready for printing."""
    numbers = [int(number) for number in re.findall("[0-9]+", asked)]
    if asked.startswith("one-"):
        found, seconds = one_family_each(numbers[0], solver_name)
    elif len(numbers) == 2:
        roots = range(numbers[0], numbers[1] + 1)
        found, seconds = thresholds(level_of(numbers[1]), roots, solver_name)
    else:
        found, seconds = thresholds(numbers[0], range(0), solver_name)
    return {"asked": asked, "found": found is not None, "seconds": round(seconds, 1)} | (found or {})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("asked", nargs="+", metavar="LEVEL|FROM-TO|one-TO")
    parser.add_argument("--solver", default="cadical195", help="a solver that pysat knows")
    asked = parser.parse_args()
    for question in asked.asked:
        match = re.fullmatch(r"(?:([0-9]+)-)?([0-9]+)|one-[0-9]+", question)
        first, last = match.groups() if match else (None, None)
        if not match or (first and not 3 <= int(first) <= int(last)) or (not first and last in ("0", "1")):
            sys.exit(parser.error(f"'{question}' is not a question; write a level from 2, FROM-TO from 3, or one-TO"))
    for question in asked.asked:
        print(json.dumps(answer(question, asked.solver)), flush=True)


main()
