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
# # A table for your paper
#
# From values to LaTeX, a b-file for the OEIS, a citation, and digests by which a reader can tell that
# his table is yours.

# %%
import hashlib

import grundy

db = grundy.open()
tile = db.tile("end-nim", (4,), 12)
tile

# %% [markdown]
# ## LaTeX
#
# NumPy and a line of Python make the body of a `tabular`:

# %%
size = len(tile)
lines = [" & ".join(["$a$", *map(str, range(1, size + 1))]) + r" \\ \hline"]
lines += [" & ".join(map(str, [a, *row])) + r" \\" for a, row in enumerate(tile.tolist(), 1)]
latex = "\n".join([rf"\begin{{tabular}}{{r|{'r' * size}}}", *lines, r"\end{tabular}"])
print(latex)

# %% [markdown]
# Positions are written as in the papers:

# %%
for game, text in [
    ("end-nim", "3,1,4"),
    ("short-global-nim", "20,20/3"),
    ("long-global-nim", "8{1..3,5}"),
]:
    print(grundy.Position(game, text).to_latex())

# %% [markdown]
# ## A b-file
#
# How many of the positions of three piles whose largest has n coins are P-positions? By the theorem of
# Albert and Nowakowski they are a,b,a with a ≠ b.

# %%
terms = grundy.sequence("end-nim", "P", 3, to=30)
assert list(terms) == [2 * (n - 1) for n in range(1, 31)]
print(terms.to_bfile()[:400])

# %%
terms

# %% [markdown]
# ## Statements of the papers
#
# Each theorem is a claim with an id. A table of verdicts is a frame away.

# %%
verdicts = grundy.diff(["ch.thm5.1", "ch.thm5.2", "ch.thm5.3"], max_pile=32)
assert not any(verdict.is_surprise for verdict in verdicts)
verdicts

# %% [markdown]
# ## Digests and a citation
#
# The bytes of an array do not depend on the machine, the number of threads, or the time of day. Print
# their digest beside your table, and the version that made it.

# %%
array = db.level("end-nim", 3, 64).to_numpy()
print("grundy", grundy.__version__)
print("end-nim, three piles up to 64, uint8, C order: SHA-256", hashlib.sha256(array).hexdigest())
assert (db.level("end-nim", 3, 64).to_numpy(threads=1) == array).all()

# %% [markdown]
# For stored tables `grundy cite` prints a citation with the digests of the manifest.
