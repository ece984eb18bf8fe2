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
# # Long global nim and the triangular numbers
#
# In long global nim no number of coins may be taken twice, by whomever. A position is a pile and the
# set of numbers that are left: `8{1,3,4}`. At the beginning of play all are.

# %%
import grundy
import numpy as np

db = grundy.open()
position = grundy.Position("long-global-nim", "8{1,3,4}")
print(position, "has the value", db.value("long-global-nim", position))
position

# %%
db.moves("long-global-nim", position)

# %% [markdown]
# The values of a single pile n with every number left:

# %%
values = [db.value("long-global-nim", (n,)) for n in range(1, 29)]
print(values)

# %% [markdown]
# The value goes up by one at the triangular numbers 1, 3, 6, 10, ...: with k different numbers one takes
# at least 1 + 2 + ... + k coins. The conjecture of the paper is that the value of n is the largest k
# with k(k + 1)/2 ≤ n.

# %%
n = np.arange(1, 29)
largest = (np.sqrt(8 * n + 1).astype(int) - 1) // 2
assert (np.array(values) == largest).all()

# %%
from matplotlib import pyplot as plt

figure, axes = plt.subplots(figsize=(8, 3.4), layout="constrained")
axes.step(n, values, where="mid", label="value of n, all numbers left")
axes.plot(n, (np.sqrt(8 * n + 1) - 1) / 2, ":", label="(√(8n+1) − 1)/2")
axes.set_xlabel("n")
axes.legend()
plt.close(figure)
figure

# %% [markdown]
# ## Every set of moves
#
# A pile of 12 has 4096 sets of moves. How are their values spread?

# %%
level = db.level("long-global-nim", 1, 12)
print(f"{len(level):,} positions with a pile of up to 12")
grundy.show.counts(level)

# %% [markdown]
# ## A proof, up to a bound
#
# Beyond 30 or so no table of sets fits anywhere. A proof by families of positions reaches further; it
# comes with a certificate, and a checker that shares no code with the search accepts or refuses it.

# %%
verdict = grundy.conjecture34(300)
verdict

# %%
checked = grundy.check_certificate(verdict.certificate)
assert checked.bound == 300 and checked.first_gap is None
print(
    f"{len(verdict.certificate):,} bytes, {checked.families:,} families, all n up to {checked.bound}"
)
