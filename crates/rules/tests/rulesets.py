"""Values of small positions of the rulesets in `games`. A few independent lines define each game.

The script reads no rule files. A position is a tuple of piles, followed by the numbers that the
game remembers. The output has lines `name position value`; a partizan value is an outcome class.
"""

import sys
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, gcd

sys.setrecursionlimit(100_000)


def heaps(piles):
    return tuple(sorted(p for p in piles if p))


def row(piles):
    return tuple(p for p in piles if p)


def put(piles, *changes):
    piles = list(piles)
    for place, pile in changes:
        piles[place] = pile
    return piles


def one(piles, sizes=lambda p: range(1, p + 1)):
    """Returns moves that take from one pile."""
    return [put(piles, (i, p - t)) for i, p in enumerate(piles) for t in sizes(p) if t <= p]


def box(piles, places, least):
    for left in product(*(range(piles[i] - least + 1) for i in places)):
        option = put(piles, *zip(places, left))
        if option != list(piles):
            yield option


def nim(p):
    return map(heaps, one(p))


def subsets(p, sizes):
    return [heaps(o) for n in sizes for s in combinations(range(len(p)), n) for o in box(p, s, 1)]


def slow(p):
    """Returns moves that take one coin from each of one pile or two piles."""
    places = [s for n in (1, 2) for s in combinations(range(len(p)), n)]
    return [heaps(q - (i in s) for i, q in enumerate(p)) for s in places]


def circular(n, k):
    def options(p):
        return [tuple(o) for i in range(n) for o in box(p, [(i + j) % n for j in range(k)], 0)]
    return options


def pair(p, steps):
    """Returns moves that take from one of two piles, or s and t from both for a step (s, t)."""
    found = one(p)
    if len(p) == 2:
        both = [(p[0] - s, p[1] - t) for s, t in steps(p)]
        found += [o for o in both if min(o) >= 0]
    return map(heaps, found)


def wythoff(p):
    return pair(p, lambda p: ((t, t) for t in range(1, p[0] + 1)))


def squares(p):
    return product(range(1, p[0] + 1), range(1, p[1] + 1))


def ends(p, most=lambda p, t: True):
    """Returns moves that take from either end of a row."""
    left = [p[:0] + (p[0] - t,) + p[1:] for t in range(1, p[0] + 1) if most(p, t)] if p else []
    right = [p[:-1] + (p[-1] - t,) for t in range(1, p[-1] + 1) if most(p, t)] if len(p) > 1 else []
    return left, right


def both_ends(p):
    left, right = ends(p)
    inside = range(1, min(p[0], p[-1]) + 1) if len(p) > 1 else []
    return map(row, left + right + [put(p, (0, p[0] - t), (-1, p[-1] - t)) for t in inside])


def single(parts):
    """Returns the options of a sum; `parts` gives the lists of piles that one pile may become."""
    return lambda p: [heaps(p[:i] + p[i + 1:] + tuple(o)) for i in range(len(p)) for o in parts(p[i])]


def octal(code):
    def parts(n):
        for t, digit in enumerate(code, 1):
            if digit & 1 and n == t:
                yield ()
            if digit & 2 and n > t:
                yield (n - t,)
            if digit & 4:
                yield from ((a, n - t - a) for a in range(1, n - t))
    return single(parts)


def remembering(sizes):
    """Returns the options of heaps with a last move; `sizes` gives the allowed numbers of coins."""
    def options(p):
        *piles, last = p
        found = []
        for i, pile in enumerate(piles):
            for t in sizes(pile, last):
                if 1 <= t <= pile:
                    found.append(heaps(put(piles, (i, pile - t))) + (t,))
        return found
    return options


def imitation(p):
    *piles, last, smaller = p
    found = []
    for i, pile in enumerate(piles):
        from_smaller = len(piles) == 2 and pile == min(piles)
        for t in range(1, pile + 1):
            if from_smaller or not (smaller and t == last):
                found.append(heaps(put(piles, (i, pile - t))) + (t, int(from_smaller)))
    return found


def with_pass(p):
    *piles, can = p
    found = [tuple(o) + (can,) for o in one(piles)]
    return found + ([tuple(piles) + (0,)] if can and sum(piles) else [])


def chocolate(p):
    y, z = p
    return [(u, z) for u in range(y)] + [(min(y, w // 2), w) for w in range(z)]


def chomp(p):
    return [tuple(q if j < i else min(q, c) for j, q in enumerate(p))
            for i in range(3) for c in range(p[i]) if c or i]


def welter(p):
    return [tuple(o) for o in one(p) if len(set(o)) == len(o)]


def silver(p):
    return [tuple(o) for o in one(p) if all(a < b for a, b in zip(o, o[1:]))]


def delete(p):
    return [(a, q - 1 - a) for q in p for a in range(q)]


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, n))


def splits(n, count):
    """Returns the ways to split a pile into `count` piles, each of at least one coin."""
    return [s for s in product(range(1, n), repeat=count) if sum(s) == n]


def kenyon(n):
    two = [(n - 2,)] + splits(n - 2, 2) + splits(n - 2, 3) if n >= 2 else []
    return [(n - 1,)] + two


def greedy(most):
    def options(p):
        return [heaps((*p[:-1], p[-1] - t)) for t in range(1, min(most, p[-1]) + 1)] if p else []
    return options


def antonim(p):
    return [o for o in nim(p) if len(set(o)) == len(o)]


def path(p):
    return [tuple(o) for i in range(3) for o in box(p, (i, i + 1), 0)]


def conjugate(p):
    return tuple(sum(q > c for q in p) for c in range(max(p, default=0)))


def left_column_or_top_row(p):
    if not p:
        return []
    return [p[:-1], heaps(conjugate(conjugate(p)[1:]))]


def column_or_row(p):
    """Returns what is left of a Young diagram when a row is removed, or a column."""
    columns = conjugate(p)
    return ([heaps(p[:i] + p[i + 1:]) for i in range(len(p))]
            + [heaps(conjugate(columns[:i] + columns[i + 1:])) for i in range(len(columns))])


def euclid(p):
    """Takes multiples of a pile from another pile, which must not become empty."""
    pairs = [(i, j) for i in range(len(p)) for j in range(len(p)) if i != j]
    return [heaps(put(p, (i, left))) for i, j in pairs for left in range(p[i] - p[j], 0, -p[j])]


def partizan_euclid(p, player):
    if len(p) < 2 or p[1] % p[0] == 0:
        return []
    rest = p[1] % p[0]
    return [heaps((p[0], rest if player == "L" else p[0] - rest))]


def next_in_turn(p):
    return [row((*p[1:], left)) for left in range(p[0])] if p else []


def stairs(p):
    """Moves coins down one step; from the first step they leave the game."""
    moves = [(i, t) for i, q in enumerate(p) for t in range(1, q + 1)]
    return [tuple(put(p, (i, p[i] - t), *[(j, p[j] + t) for j in range(i - 1, i) if j >= 0]))
            for i, t in moves]


def exchange(returned):
    """Takes t coins from one of two piles, and returns fewer coins to the other pile."""
    def options(p):
        a, b = p
        return ([(a - t, b + s) for t in range(a + 1) for s in returned(t)]
                + [(a + s, b - t) for t in range(b + 1) for s in returned(t)])
    return options


def amalgamation(p):
    pairs = combinations(range(len(p)), 2)
    return [*nim(p)] + [heaps(put(p, (i, p[i] + p[j]), (j, 0))) for i, j in pairs]


def no_more(n, last):
    return range(1, last + 1) if last else range(1, n)


H, ROW, PLACES, SUM, LAST, REMEMBERS = "heaps", "row", "places", "sum", "last", "remembers"
GAMES = {
    "nim": (H, nim, 3, 5),
    "misere-nim": (H, lambda p: [o for o in nim(p) if o], 3, 5),
    "misere-nim-empty-1": (H, nim, 3, 5),
    "subtraction-1-2-3": (SUM, single(lambda n: [(n - t,) for t in (1, 2, 3) if t <= n]), 1, 20),
    "aliquot": (SUM, single(lambda n: [(n - t,) for t in range(1, n) if n % t == 0]), 1, 40),
    "totative": (SUM, single(lambda n: [(m,) for m in range(1, n) if gcd(m, n) == 1]), 1, 40),
    "take-a-square": (SUM, single(lambda n: [(n - t * t,) for t in range(1, n + 1) if t * t <= n]), 1, 40),
    "all-but-2": (SUM, single(lambda n: [(n - t,) for t in range(1, n + 1) if t != 2]), 1, 30),
    "moore-nim-2": (H, lambda p: subsets(p, (1, 2)), 3, 5),
    "exact-nim-4-2": (H, lambda p: subsets(p, (2,)), 4, 4),
    "exact-nim-5-2": (H, lambda p: subsets(p, (2,)), 5, 3),
    "slow-exact-nim-4-2": (H, lambda p: [heaps(put(p, (i, p[i] - 1), (j, p[j] - 1)))
                                         for i, j in combinations(range(len(p)), 2)], 4, 5),
    "slow-nim-3-2": (H, slow, 3, 7),
    "circular-nim-4-2": (PLACES, circular(4, 2), 4, 3),
    "circular-nim-5-2": (PLACES, circular(5, 2), 5, 2),
    "circular-nim-6-3": (PLACES, circular(6, 3), 6, 1),
    "wythoff": (H, wythoff, 2, 12),
    "blocking-wythoff": (H, wythoff, 2, 12),
    "blocking-wythoff-2": (H, wythoff, 2, 12),
    "larger-pile-wythoff": (H, lambda p: [heaps(o) for o in (
        [put(p, (-1, p[-1] - t)) for t in range(1, p[-1] + 1)]
        + [[p[0] - t, p[1] - t] for t in range(1, p[0] + 1) if len(p) == 2] if p else [])], 2, 12),
    "r-wythoff-2": (H, lambda p: pair(p, lambda p: (x for x in squares(p) if abs(x[0] - x[1]) < 2)), 2, 10),
    "diagonal-wythoff-1-2": (H, lambda p: pair(p, lambda p: (
        x for x in squares(p) if x[0] == x[1] or x[0] == 2 * x[1] or x[1] == 2 * x[0])), 2, 10),
    "maharaja-nim": (H, lambda p: pair(p, lambda p: (
        x for x in squares(p) if x[0] == x[1] or x in ((1, 2), (2, 1)))), 2, 10),
    "cyclic-nimhoff-3": (H, lambda p: [*nim(p)] + [heaps(o) for o in box(p, range(len(p)), 0)
                                                  if sum(p) - sum(o) < 3], 3, 4),
    "ryuo-nim": (H, lambda p: pair(p, lambda p: [(1, 1)]), 2, 10),
    "n-heap-wythoff": (H, lambda p: [*nim(p)] + [heaps(o) for o in box(p, range(len(p)), 0)
                                                if not eval("^".join(str(a - b) for a, b in zip(p, o)))], 3, 4),
    "euclid": (H, lambda p: [heaps((p[0], p[1] - t)) for t in range(p[0], p[1] + 1, p[0])]
               if len(p) == 2 else [], 2, 12),
    "mark": (SUM, single(lambda n: [(n - 1,), (n // 2,)]), 1, 40),
    "fibonacci-nim": (LAST, remembering(lambda n, t: range(1, 2 * t + 1) if t else range(1, n)), 1, 13),
    "global-fibonacci-nim": (LAST, remembering(lambda n, t: range(1, 2 * t + 1) if t else range(1, n)), 2, 6),
    "mem": (LAST, remembering(lambda n, t: range(max(1, t), n + 1)), 1, 15),
    "short-global-nim": (LAST, remembering(lambda n, t: (s for s in range(1, n + 1) if s != t)), 2, 5),
    "imitation-nim": (REMEMBERS, imitation, 2, 7),
    "nim-with-a-pass": (PLACES, with_pass, 4, 3),
    "end-nim": (ROW, lambda p: map(row, sum(ends(p), [])), 3, 4),
    "misere-end-nim": (ROW, lambda p: map(row, sum(ends(p, lambda p, t: t < sum(p)), [])), 3, 4),
    "loop-end-nim": (ROW, lambda p: map(row, sum(ends(p), [])) if len(p) > 1 else [], 3, 4),
    "partizan-end-nim": (ROW, lambda p, player: map(row, ends(p)[player == "R" and len(p) > 1]), 3, 4),
    "end-wythoff": (ROW, both_ends, 3, 5),
    "delete-nim": (PLACES, delete, 2, 9),
    "chocolate-bar-2": (PLACES, chocolate, 2, 12),
    "chomp-3": (PLACES, chomp, 3, 4),
    "silver-dollar-3": (PLACES, silver, 3, 7),
    "welter": (PLACES, welter, 3, 5),
    "kayles": (SUM, octal((7, 7)), 1, 30),
    "dawsons-kayles": (SUM, octal((0, 7)), 1, 30),
    "ruler": (SUM, lambda p: [tuple(range(p[0] - t + 1, p[0])) for t in range(1, p[0] + 1)], 1, 20),
    "grundys-game": (SUM, single(lambda n: [(a, n - a) for a in range(1, n) if 2 * a < n]), 1, 30),
    "laskers-nim": (SUM, single(lambda n: [(n - t,) for t in range(1, n + 1)]
                                + [(a, n - a) for a in range(1, n)]), 1, 16),
    "treblecross": (SUM, octal((0, 0, 7)), 1, 30),
    # A number such as A002187 names the sequence of the OEIS that has these values.
    # A002187
    "dawsons-chess": (SUM, octal((1, 3, 7)), 1, 30),
    # A046695
    "officers": (SUM, octal((6,)), 1, 30),
    "guiles": (SUM, octal((1, 5)), 1, 30),
    # A046695, term n - 1
    "couples-are-forever": (SUM, single(lambda n: splits(n, 2) if n != 2 else []), 1, 30),
    "kenyons-game": (SUM, single(kenyon), 1, 20),
    "cut-1-2": (SUM, single(lambda n: splits(n, 2) + splits(n, 3)), 1, 24),
    # A025480
    "maximum-nim-half": (SUM, single(lambda n: [(n - t,) for t in range(1, n) if 2 * t <= n]), 1, 40),
    "i-mark": (SUM, single(lambda n: [(n - 1,)] + [(n // 2,)] * (n % 2 == 0)), 1, 40),
    "mark-3": (SUM, single(lambda n: [(n - t,) for t in (1, 2) if t <= n] + [(n // 3,)]), 1, 40),
    # A014589
    "subtract-a-prime": (SUM, single(lambda n: [(n - t,) for t in range(n + 1) if is_prime(t)]), 1, 40),
    # A014587
    "take-a-factorial": (SUM, single(lambda n: [(n - t,) for t in map(factorial, range(1, 9)) if t <= n]), 1, 40),
    "saliquant": (SUM, single(lambda n: [(n - t,) for t in range(1, n) if n % t]), 1, 40),
    "sink-subtraction-2-3-5": (SUM, single(lambda n: [(max(0, n - t),) for t in (2, 3, 5)]), 1, 40),
    "greedy-nim": (H, greedy(99), 4, 5),
    "bounded-greedy-nim-3": (H, greedy(3), 3, 7),
    "misere-greedy-nim": (H, greedy(99), 4, 5),
    "antonim": (H, antonim, 4, 8),
    "princess-and-roses": (H, slow, 5, 4),
    "complementary-nim-4": (H, lambda p: subsets(p, (1, 2, 3)), 4, 4),
    "simplicial-nim-path-4": (PLACES, path, 4, 3),
    # The numbers of P-positions with n coins are A373457.
    "lctr": (H, left_column_or_top_row, 4, 5),
    "crim": (H, column_or_row, 4, 5),
    "vector-subtraction-1-2": (PLACES, lambda p: [tuple(o) for o in (
        (p[0] - 1, p[1] - 2), (p[0] - 2, p[1] - 1)) if min(o) >= 0], 2, 12),
    "misere-wythoff": (H, wythoff, 2, 12),
    "s-t-wythoff-2-1": (H, lambda p: pair(p, lambda p: (
        x for x in squares(p) if max(x) < 2 * min(x) + 1)), 2, 11),
    "e-wythoff": (H, lambda p: pair(p, lambda p: (x for x in squares(p) if x[1] <= x[0])), 2, 12),
    "grossmans-euclid": (H, euclid, 2, 12),
    "three-euclid": (H, euclid, 3, 9),
    "min-game": (H, lambda p: [heaps((p[0], p[1] - t)) for t in range(1, p[0] + 1)]
                 if len(p) == 2 else [], 2, 12),
    "partizan-euclid": (H, partizan_euclid, 2, 14),
    "partizan-subtraction": (H, lambda p, player: [heaps((p[0] - t,)) for t in (
        (1, 6) if player == "L" else (2, 3)) if p and t <= p[0]], 1, 30),
    "dudeney-5": (LAST, remembering(lambda n, t: (s for s in range(1, 6) if s != t)), 1, 28),
    "no-more-than-last": (LAST, remembering(no_more), 1, 16),
    "serial-nim": (ROW, lambda p: [row((left, *p[1:])) for left in range(p[0])] if p else [], 3, 4),
    "gales-nim": (H, lambda p: nim(p) if len(p) > 1 else [], 4, 5),
    "adjacent-nim": (ROW, next_in_turn, 4, 3),
    "staircase-nim": (PLACES, stairs, 4, 3),
    "yama-nim": (PLACES, exchange(lambda t: [1] if t > 1 else []), 2, 12),
    "triangular-nim": (PLACES, exchange(lambda t: range(1, t)), 2, 12),
    "amalgamation-nim": (H, amalgamation, 4, 5),
    "misere-kayles": (H, octal((7, 7)), 3, 7),
    "rnim-3": (PLACES, lambda p: map(tuple, one(p)) if all(p) else [], 3, 5),
}
PARTIZAN = {"partizan-end-nim", "partizan-euclid", "partizan-subtraction"}
MISERE = {"misere-nim-empty-1", "misere-kayles", "misere-greedy-nim", "misere-wythoff"}


def is_there(name, p):
    """True if the position is valid by the rules."""
    match name:
        case "nim-with-a-pass":
            return p[-1] <= 1
        case "chocolate-bar-2":
            return p[0] <= p[1] // 2
        case "chomp-3":
            return p[0] >= p[1] >= p[2] and p[0]
        case "welter" | "antonim":
            return len(set(p)) == len(p)
        case "silver-dollar-3":
            return p[0] < p[1] < p[2]
        case "three-euclid":
            return len(p) == 3
    return True


def mex(values):
    values = set(values)
    return next(n for n in range(len(values) + 1) if n not in values)


def solver(kind, options, end):
    # The value of a sum is the nim-sum of the values of its piles, so large sums are cheap.
    @cache
    def value(p):
        if kind == SUM and len(p) != 1:
            found = 0
            for pile in p:
                found ^= value((pile,))
            return found
        values = [value(tuple(o)) for o in options(p)]
        return mex(values) if values else end
    return value


def classes(options):
    """Returns the function that gives the outcome class of a position of a partizan game."""
    @cache
    def wins(p, player):
        other = "R" if player == "L" else "L"
        return any(not wins(o, other) for o in options(p, player))

    return lambda p: {(1, 0): "L", (0, 1): "R", (1, 1): "N", (0, 0): "P"}[wins(p, "L"), wins(p, "R")]


# The number of options that the other player may forbid.
BLOCKS = {"blocking-wythoff": 1, "blocking-wythoff-2": 2}


def blocked(options, most):
    """Returns the function that gives the outcome if a player may forbid options."""
    @cache
    def is_p(p):
        return sum(map(is_p, set(map(tuple, options(p))))) <= most

    return lambda p: "P" if is_p(p) else "N"


def positions(kind, length, most):
    if kind in (H, LAST, REMEMBERS, SUM):
        of = [q for k in range(1, length + 1) for q in combinations_with_replacement(range(1, most + 1), k)]
        if kind == LAST:
            return [q + (t,) for q in of for t in range(most + 1)]
        if kind == REMEMBERS:
            return [q + (t, flag) for q in of for t in range(most + 1) for flag in (0, 1)]
        return of
    if kind == ROW:
        return [q for k in range(1, length + 1) for q in product(range(1, most + 1), repeat=k)]
    return list(product(range(most + 1), repeat=length))


for name, (kind, options, length, most) in GAMES.items():
    value = classes(options) if name in PARTIZAN else solver(kind, options, int(name in MISERE))
    if name in BLOCKS:
        value = blocked(options, BLOCKS[name])
    for p in positions(kind, length, most):
        if not is_there(name, p):
            continue
        text = ",".join(map(str, p))
        if kind == LAST:
            text = ",".join(map(str, p[:-1])) + f"/{p[-1]}"
        if kind == REMEMBERS:
            text = ",".join(map(str, p[:-2])) + f"/{p[-2]}/{p[-1]}"
        print(name, text, value(p))
