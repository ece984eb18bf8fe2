"""Looks for thresholds that one family a pile can live with: the gap lemma of docs/CONJECTURE.md.

    python3 -m venv gap && gap/bin/pip install python-sat
    gap/bin/python docs/proofs/gap.py 8 12 16 20 24 3-60 3-61 78-90

A number x(d) for each move d and a set of piles for each level are wanted, such that every pile n of
the sets, of level I, has for each i <= I - 2 a pile m in the set of level i with i <= x(n - m) <= I - 1.
Asked for is one of two things:

    24      sets of levels 0 to 24, those of levels 23 and 24 not empty
    3-60    sets such that every n from 3 to 60, in one or not, has for each i <= I - 2 a pile m in the
            set of level i with i <= x(n - m)

A SAT solver answers. Each question makes one line of JSON: what was found, which was checked against
these conditions before, or that there is nothing of the kind; and seconds of processor time.
"""

import argparse
import json
import time
from itertools import count

from pysat.solvers import Solver


def piles(level):
    """The piles of a level: from T(level) to T(level + 1) - 1."""
    first = level * (level + 1) // 2
    return range(first, first + level + 1)


def clauses(top, roots):
    """The question for levels up to `top`: its clauses, and the variables of piles and thresholds."""
    fresh = count(1)
    level = {n: i for i in range(top + 1) for n in piles(i)}
    chosen = {n: next(fresh) for n in level}
    # least[d][i]: x(d) >= i.
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
    """Whether thresholds and sets of piles are what is wanted."""
    wanted = [(n, level, level - 1) for level, of in enumerate(sets) for n in of]
    wanted += [(n, level, len(x)) for level in range(len(sets)) for n in piles(level) if n in roots]
    return all(
        any(i <= x[n - m] <= most for m in sets[i])
        for n, level, most in wanted
        for i in range(level - 1)
    )


def answer(asked, solver_name):
    """The answer to one question, ready to be printed."""
    first, _, last = asked.partition("-")
    roots = range(int(first), int(last) + 1) if last else range(0)
    top = next(i for i in count() if int(last) in piles(i)) if last else int(first)
    question, chosen, least = clauses(top, roots)
    start = time.process_time()
    with Solver(name=solver_name, bootstrap_with=question) as solver:
        line = {"asked": asked, "found": solver.solve()}
        line["seconds"] = round(time.process_time() - start, 1)
        if line["found"]:
            true = {v for v in solver.get_model() if v > 0}
            sets = [[n for n in piles(i) if chosen[n] in true] for i in range(top + 1)]
            x = [0] + [sum(v in true for v in of_move.values()) for of_move in least.values()]
            assert holds(x, sets, roots)
            line |= {"x": x, "piles": sets}
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("asked", nargs="+", metavar="LEVEL|FROM-TO")
    parser.add_argument("--solver", default="cadical195", help="a solver that pysat knows")
    asked = parser.parse_args()
    for question in asked.asked:
        print(json.dumps(answer(question, asked.solver)), flush=True)


main()
