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
# # The periods of rows
#
# Fix all piles of End-Nim but the last: the row b -> G(w b). Albert and Nowakowski show that it is
# *arithmetico-periodic*: from some column on, G(w, b + p) = G(w b) + s. How soon, and with which
# period p and saltus s?

# %%
import grundy

grundy.show.row("end-nim", (7, 4), 200)

# %% [markdown]
# Take away the slope, and the period is to be seen:

# %%
grundy.show.row("end-nim", (7, 4), 200, differences=True)

# %% [markdown]
# `periods` finds it and *proves* it: once a row and the rows that it follows from repeat together, they
# repeat for ever. No bound is left in the statement.

# %%
rows = grundy.periods("end-nim", 16, (4,))
assert all(row.proved for row in rows)
rows

# %% [markdown]
# So a value is known for any b, however large:

# %%
row = rows[6]
print("G(7, 4, 10^12) =", row.value(10**12))
assert [row.value(b) for b in range(1, 300)] == grundy.open().row("end-nim", (7, 4), 299).tolist()

# %% [markdown]
# In each row seen here the saltus is the period. Periods that are powers of two are common, and one may
# believe that all are, until the row of 5, 4:

# %%
assert all(row.saltus == row.period for row in rows)
print({row.left: row.period for row in rows})

# %%
grundy.diff("an.period-pow2", max_pile=8)

# %% [markdown]
# That is a proof: the counterexample stands among the claims as one that fails, with the least row of
# which the period is proved and no power of two.

# %% [markdown]
# Preperiods grow with the piles before them:

# %%
from matplotlib import pyplot as plt

figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
for middle in ((1,), (4,), (7,)):
    found = grundy.periods("end-nim", 32, middle)
    label = f"a,{middle[0]},b"
    axes.plot([row.left for row in found], [row.preperiod for row in found], ".-", label=label)
axes.set_xlabel("a")
axes.set_ylabel("preperiod")
axes.legend()
plt.close(figure)
figure
