# ---
# jupyter:
#   jupytext:
#     text_representation:
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Ten minutes with End-Nim
#
# Piles of coins stand in a row. A move takes one or more coins from the leftmost or the rightmost
# pile; who cannot move has lost. Albert and Nowakowski (2001) know who wins. The *Grundy values*,
# which decide sums of such games, are not known beyond two piles. Here they are computed by the
# hundred million, looked at, and a conjecture about them is made, checked, refuted, and repaired.

# %%
import grundy
import numpy as np

db = grundy.open()  # nothing stored: everything is computed
db.value("end-nim", (3, 1, 4))

# %% [markdown]
# Do not believe it. Here is the game in a few lines of Python, which know nothing of this package:


# %%
def mex(values):
    return next(n for n in range(len(values) + 1) if n not in values)


def value(piles, known={(): 0}):  # noqa: B006 - the memo
    if piles not in known:
        rows = {(a,) * (a > 0) + piles[1:] for a in range(piles[0])}
        rows |= {piles[:-1] + (b,) * (b > 0) for b in range(piles[-1])}
        known[piles] = mex({value(row) for row in rows})
    return known[piles]


small = [(a, b, c) for a in range(1, 8) for b in range(1, 8) for c in range(1, 8)]
assert db.values("end-nim", small).tolist() == [value(piles) for piles in small]
print(len(small), "positions of three piles agree")

# %% [markdown]
# ## Moves
#
# From 2,3,4 one move wins: it leads to a position of value 0.

# %%
db.moves("end-nim", (2, 3, 4))

# %%
grundy.show.moves("end-nim", (12, 5, 9))

# %% [markdown]
# ## A table is a picture
#
# With no pile between them, two piles are Nim: the value of a, b is a XOR b. Put a pile of 4 between
# them, and the order of Nim is broken, but not without trace.

# %%
grundy.show.tile("end-nim", (), 64)

# %%
grundy.show.tile("end-nim", (4,), 64)

# %% [markdown]
# The blue cells are the P-positions, which the player to move loses. With one pile between the ends
# they lie on the diagonal:

# %%
tile = db.tile("end-nim", (4,), 64)
a, b = np.nonzero(tile == 0)
assert (a == b).all()
print("all P-positions a,4,b have a = b, but for a =", set(range(1, 65)) - set((a + 1).tolist()))

# %% [markdown]
# ## A conjecture
#
# Does that hold whatever the pile in the middle is? A statement is a line of text. It is checked on
# all 262,144 positions of three piles up to 64:

# %%
grundy.check("end-nim", "P -> first == last", length=3, max_pile=64)

# %% [markdown]
# Then perhaps values near 0 keep to the diagonal, too. In the pictures the cells of value 1 look as if
# they were beside it. The conjecture:
#
# > *If three piles have the value 1, the two ends differ by at most 1.*

# %%
verdict = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 1", length=3, max_pile=64)
verdict

# %% [markdown]
# It is refuted, but 62 failures among nearly four thousand cases have a reason. Which are they?

# %%
failures = grundy.find("end-nim", "g == 1 and abs(first - last) > 1", length=3, max_pile=64)
print([str(position) for position in failures[:6]], "...")

# %% [markdown]
# One look, and they have a rule: a, a+2, a+2 with an odd a, and the same read backwards. Two questions
# tell whether that is all of it. Has each such position the value 1? And does the repaired conjecture
# hold?
#
# > *If three piles have the value 1, the two ends differ by at most 1, or the piles are a, a+2, a+2 with
# > an odd a, or that read backwards.*

# %%
exception = "abs(first - last) == 2 and p2 == max(first, last) and p2 % 2 == 1"
assert grundy.check("end-nim", f"{exception} -> g == 1", length=3, max_pile=64)

repaired = f"g == 1 -> abs(first - last) <= 1 or {exception}"
assert grundy.check("end-nim", repaired, length=3, max_pile=64)

# %% [markdown]
# A check to 64 is no proof, but 200 is soon tried (eight million positions):

# %%
grundy.check("end-nim", repaired, length=3, max_pile=200)

# %% [markdown]
# ## All positions of four piles
#
# Sixteen million values are an array of 16 MB, which NumPy takes from here.

# %%
level = db.level("end-nim", 4, 64)
array = level.to_numpy()
print(array.shape, array.dtype, "largest value", array.max())
assert (array == array.transpose(3, 2, 1, 0)).all()  # a row and its reversal have the same value

# %%
grundy.show.counts(level)

# %% [markdown]
# What is too large for an array is walked: `sweep` shows every position, some hundred thousand at a
# time, to a function.

# %%
p_positions = grundy.sweep("end-nim", 5, 32, lambda block: int((block.values == 0).sum()))
print(f"{p_positions:,} of the {32**5:,} positions of five piles up to 32 are P-positions")
