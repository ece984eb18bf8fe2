"""Reads a shard of Grundy's tables. This program was written from docs/FORMAT.md alone.

    python3 read_shard.py end-nim-n64-k3-00000.zst 3,1,4
    python3 read_shard.py pack.json end-nim/n64/k3 3,1,4

prints the value of each position. A table of outcomes has 0 for P and 1 for N, partizan End-Nim the
threshold l, and short global nim the value with no forbidden move. A position of long global nim is
written 8{1,3,4}; without braces all moves remain. In a game that remembers the last move, 3,1,4/2 is
a position after a move of 2; without it no move was made. A game that remembers several numbers has
all of them, as in 12,5/3/1. A partizan game of a rule file has 0 for L, 1 for R, 2 for N, 3 for P. The
program needs `pip install zstandard`. With `pip install blake3` it also checks digests. The second form
reads a table of a pack. The first form reads the numbering of a game of a rule file in manifest.json or
pack.json, beside the shard or in a folder above it.
"""

import functools
import json
import math
import os
import struct
import sys
import zlib

try:
    import zstandard
except ImportError:
    zstandard = None

try:
    from blake3 import blake3
except ImportError:
    blake3 = None

# The numberings of the built-in games; the manifest has those of the games of rule files.
KINDS = {"nim": "heaps", "misere-nim": "heaps", "short-global-nim": "records",
         "long-global-nim": "sets", "partizan-end-nim": "words", "end-nim": "row",
         "misere-end-nim": "row", "loop-end-nim": "row", "end-wythoff": "row"}
FIELDS = ("value_bytes tile_rows tile_cols tiles_per_frame first_tile tiles "
          "shard shards codec").split()


def check(right, otherwise):
    """Stops with a message if a condition is false."""
    if not right:
        raise ValueError(otherwise)


def read_shard(path, offset=0, length=-1):
    """Returns the description of a shard, and the bytes of all its values."""
    with open(path, "rb") as file:
        file.seek(offset)
        data = file.read(length)
    magic, size, shard_magic, version, length = struct.unpack_from("<II8sII", data)
    check((magic, shard_magic) == (0x184D2A50, b"GRUNDY\r\n"), "not a shard")
    check(version in (1, 2), f"format version {version}")
    crc, = struct.unpack_from("<I", data, 24 + length)
    check(crc == zlib.crc32(data[8:24 + length]), "the header is damaged")
    name_length, = struct.unpack_from("<Q", data, 24)
    d = dict(zip(FIELDS, struct.unpack_from("<BIIIQQIII", data, 32 + name_length)))
    d["table"] = data[32:32 + name_length].decode()

    entries, = struct.unpack_from("<I", data, len(data) - 9)
    table = len(data) - 9 - 12 * entries
    trailer = table - 8 - 60
    digest, value_bytes, frame_bytes, crc = struct.unpack_from("<32sQQI", data, trailer + 8)
    check(crc == zlib.crc32(data[trailer + 8:trailer + 56] + data[table - 8:]),
          "the trailer or the seek table is damaged")
    at, values = 0, []
    for compressed, decompressed, _ in struct.iter_unpack("<III", data[table:-9]):
        if decompressed:
            check(zstandard, "the values are compressed; install a reader: pip install zstandard")
            frame = zstandard.ZstdDecompressor().decompress(data[at:at + compressed])
            values.append(untransform(d, frame))
        at += compressed
    values = b"".join(values)
    check(len(values) == value_bytes, "values are missing")
    d["digest"] = digest.hex()
    check(not blake3 or blake3(values).digest() == digest, "the digest does not match the values")
    return d, values


def untransform(d, frame):
    """Undoes the codec. The codecs are 0 raw, 1 nim-sum, 2 nim-sum-planes, 3 delta-planes."""
    width = d["value_bytes"]
    if d["codec"] == 3:
        count, value, out = len(frame) // width, 0, []
        for i in range(count):
            value += int.from_bytes(frame[i::count], "little")
            value %= 256 ** width
            out.append(value.to_bytes(width, "little"))
        return b"".join(out)
    if d["codec"] == 2 and width == 2:
        half = len(frame) // 2
        frame = bytes(byte for pair in zip(frame[:half], frame[half:]) for byte in pair)
    if d["codec"] > 0:
        sums = b"".join(((row ^ col) % 256 ** width).to_bytes(width, "little")
                        for row in range(1, d["tile_rows"] + 1)
                        for col in range(1, d["tile_cols"] + 1))
        frame = bytes(a ^ b for a, b in zip(frame, sums * (len(frame) // len(sums))))
    return frame


def rank(n, w):
    """Returns the number of the tile of w, a middle (piles up to n) that is at most its reverse."""
    if len(w) < 2:
        return w[0] - 1 if w else 0
    x, u, y = w[0], w[1:-1], w[-1]
    every = n ** len(u)                                # all words u
    canonical = (every + n ** ((len(u) + 1) // 2)) // 2    # those at most their reverse
    tile = (x - 1) * canonical + sum(n - smaller for smaller in range(1, x)) * every
    if x == y:
        return tile + rank(n, u)
    tile += canonical + (y - x - 1) * every
    return tile + sum((p - 1) * n ** i for i, p in enumerate(reversed(u)))


def set_place(k, number, piles, moves):
    """Returns the number of a position of long global nim in its table."""
    p = max(piles)
    moves = range(1, p + 1) if moves is None else moves
    index = sum(2 ** (p - s) for s in moves if s <= p)
    if k == 1:
        return 2 ** p + index
    m = [math.comb(q + k - 2, k) for q in range(p + 1)]    # multisets of piles below q
    smaller = sum((m[q + 1] - m[q]) * 2 ** q for q in range(1, p))
    return smaller + (number - m[p]) * 2 ** p + index


def numbering(d):
    """Returns the kind of a table's numbering, whether it is symmetric, and its memories."""
    listed, game = d.get("numbering"), d["table"].split("/")[0].removesuffix("-outcomes")
    if not listed:
        check(game in KINDS, f"no manifest beside the shard or above it has the numbering of {game}; "
              "if one lists the table, `grundy build` adds it")
        return KINDS[game], KINDS[game] == "row", []
    return listed["kind"], listed["symmetric"], listed["memories"]


def by_total(piles):
    """Returns how many tuples of piles, which may be empty, come before these: all tuples with fewer
    coins, and the lexicographically smaller ones with as many."""
    total, number = sum(piles), math.comb(sum(piles) + len(piles) - 1, len(piles))
    for left, pile in zip(range(len(piles) - 1, 0, -1), piles):
        number += math.comb(total + left, left) - math.comb(total - pile + left, left)
        total -= pile
    return number


@functools.cache
def partitions(coins, most):
    """Returns the number of multisets of heaps with so many coins and at most `most` in a heap."""
    if coins == 0 or most == 0:
        return int(coins == 0)
    more = partitions(coins - most, most) if most <= coins else 0
    return partitions(coins, most - 1) + more


def heaps_by_total(piles):
    """Returns how many multisets come before these heaps: all with fewer coins, and those with as
    many whose largest heaps are smaller."""
    left = sum(piles)
    number = sum(partitions(coins, coins) for coins in range(left))
    for pile in sorted(piles, reverse=True):
        number += partitions(left, pile - 1)
        left -= pile
    return number


def place(d, piles, moves=None, numbers=()):
    """Returns the tile, row and column (from 0) of a position."""
    n, *length = d["table"].split("/")[1:]
    n, (kind, symmetric, memories) = int(n[1:]), numbering(d)
    least = 0 if kind.startswith("places") else 1
    check(length in ([f"k{len(piles)}"], []), f"{piles} is not of table {d['table']}")
    check(all(least <= pile <= n for pile in piles), f"piles are {least} to {n}")
    numbers, state = numbers or [of["least"] for of in memories], 0
    check(len(numbers) == len(memories), f"positions remember {len(memories)} numbers")
    for number, of in zip(numbers, memories):
        least_of, largest = of["least"], of["largest"]
        check(least_of <= number <= largest, f"{of['name']} is {least_of} to {largest}")
        state = state * (largest - least_of + 1) + number - least_of
    check(moves is None or kind == "sets", "positions of this game have no set of moves")
    check(kind in ("row", "words", "heaps", "places", "sum", "records", "sets", "row-by-total",
                   "places-by-total", "heaps-by-total"),
          f"the numbering {kind} is unknown; use a newer read_shard.py")
    if kind.endswith("by-total"):
        check(sum(piles) <= n, f"the piles have at most {n} coins")
        is_heaps = kind == "heaps-by-total"
        of_piles = heaps_by_total(piles) if is_heaps else by_total([p - least for p in piles])
        return of_piles, 0, state
    if kind == "sum":
        return 0, 0, piles[0] - 1
    if kind == "records" and length == ["k1"]:
        return piles[0] - 1, 0, 0
    if kind in ("heaps", "records", "sets"):
        number = sum(math.comb(p + i - 2, i) for i, p in enumerate(sorted(piles), 1))
        if kind == "sets":
            number = set_place(len(piles), number, piles, moves)
            return (number if piles[1:] else number // 16), 0, 0
        return number, 0, state
    word, a, b = piles[:-2], (piles[-2] if piles[1:] else least), piles[-1]
    if memories:
        word = piles
    if memories or kind == "places" or not symmetric:
        tile = sum((p - least) * (n + 1 - least) ** i for i, p in enumerate(reversed(word)))
        return (tile, 0, state) if memories else (tile, a - least, b - least)
    if piles[1:-1] > piles[-2:0:-1]:
        piles = piles[::-1]
    return rank(n, piles[1:-1]), (piles[0] if piles[1:] else 1) - 1, piles[-1] - 1


def lookup(d, values, piles, moves=None, numbers=()):
    """Returns the value of a position. In long global nim `moves` remain, by default all moves."""
    tile, row, col = place(d, piles, moves, numbers)
    tile -= d["first_tile"]
    check(0 <= tile < d["tiles"], f"{piles} is in another shard")
    at = (tile * d["tile_rows"] + row) * d["tile_cols"] + col
    if d["value_bytes"] == 0:
        return values[at // 8] >> at % 8 & 1
    at *= d["value_bytes"]
    value = int.from_bytes(values[at:at + d["value_bytes"]], "little")
    if d["table"].startswith("long-global-nim/") and not piles[1:]:
        within = set_place(1, 0, piles, moves) % 16
        bits = [value >> (8 * byte + within // 2) & 1 for byte in range(4)]
        value = bits[0] + 2 * bits[1] + 4 * bits[2] if within % 2 or bits[3] else 0
    return value


def once(members):
    """Returns an object of JSON, and refuses a member that is written twice."""
    found = dict(members)
    check(len(found) == len(members), "a member is written twice")
    return found


def sealed_tables(path):
    """Returns the tables that a manifest or a pack.json lists, by id."""
    with open(path, "rb") as file:
        text = file.read()
    sealed, end = text[:-68], text[-68:]
    check(sealed.endswith(b',\n  "blake3": "'), f"{path} has no seal")
    check(not blake3 or blake3(sealed).hexdigest().encode() + b'"\n}\n' == end,
          f"{path} is damaged")
    return json.loads(text, object_pairs_hook=once)["tables"]


def numbering_above(path, table):
    """Returns the numbering of a table from manifest.json or pack.json beside a shard or above it."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        for name in ("manifest.json", "pack.json"):
            listing = os.path.join(folder, name)
            try:
                listed = sealed_tables(listing).get(table) if os.path.isfile(listing) else None
            except ValueError:
                # Other programs have files of these names too, but not with the ids of our tables.
                with open(listing, "rb") as file:
                    check(f'"{table}"'.encode() not in file.read(), f"{listing} is damaged")
                continue
            if listed:
                return listed.get("entry", listed).get("numbering")
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def packed(path, table):
    """Returns a function that reads the shard of a tile of a packed table; see pack.json."""
    tables = sealed_tables(path)
    check(table in tables, f"the pack has no table {table}")
    listed = tables[table]
    data = os.path.join(os.path.dirname(path), listed["file"])

    def shard_of(tile):
        number = tile // listed["entry"]["tiles_per_shard"]
        check(number < len(listed["offsets"]), "the table has no such position")
        shard = listed["entry"]["shards"][number]
        description, values = read_shard(data, listed["offsets"][number], shard["bytes"])
        check(description["table"] == table, f"this is {description['table']}, not {table}")
        check(description["digest"] == shard["blake3"], "this shard is not the listed one")
        description["numbering"] = listed["entry"].get("numbering")
        return description, values
    return shard_of


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not blake3:
        print("digests are not checked: pip install blake3", file=sys.stderr)
    path, positions, shard_of = sys.argv[1], sys.argv[2:], None
    if os.path.basename(path) == "pack.json":
        check(positions, "no table given; give its id, as in end-nim/n64/k3")
        shard_of = packed(path, positions.pop(0))
        description, values = shard_of(0)
    else:
        description, values = read_shard(path)
        if positions and description["table"].split("/")[0].removesuffix("-outcomes") not in KINDS:
            description["numbering"] = numbering_above(path, description["table"])
    for position in positions:
        piles, braces, moves = position.rstrip("}").partition("{")
        piles, *numbers = piles.split("/")
        piles = [int(pile) for pile in piles.split(",") if pile != "()"]
        numbers = [int(n) for n in numbers]
        runs = [run.split("..") for run in moves.split(",") if run]
        moves = [s for run in runs for s in range(int(run[0]), int(run[-1]) + 1)]
        moves = moves if braces else None
        if shard_of:
            description, values = shard_of(place(description, piles, moves, numbers)[0])
        print(position, lookup(description, values, piles, moves, numbers))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, struct.error) as error:
        sys.exit(f"read_shard: {error}")
