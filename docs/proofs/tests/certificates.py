"""Gives certificates to the checkers that Coq has proved: sound ones, and damaged ones.

python3 certificates.py GRUNDY CHECKER   the program that makes certificates, and the checker
"""

import functools
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

GRUNDY, CHECKER = sys.argv[1:]
DAMAGED = 40
OUTCOMES = ["L", "R", "N", "P"]
# Periods and starts need not be the least ones, and other rows can show that a set is not regular.
LOOSE = ["lines", "columns", "start", "step", "nonregular"]
# The checker does not read these members.
UNREAD = ["format", "version", "states", "tiles", "blake3"]


def make(file: Path, *command: str) -> bytes:
    """Makes a certificate with the program."""
    run = [GRUNDY, *command, "--certificate", str(file)]
    subprocess.run(run, check=True, capture_output=True)
    return file.read_bytes()


def accepted(file: Path, certificate: bytes) -> str | None:
    """Returns the statement that the checker proves with the certificate, or None."""
    file.write_bytes(certificate)
    run = subprocess.run([CHECKER, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == (0 if run.stdout else 1), run
    return run.stdout.strip() or None


def zstd(option: str, data: bytes) -> bytes:
    return subprocess.run(["zstd", option, "-q"], input=data, capture_output=True, check=True).stdout


def conjecture(file: Path, bound: int) -> None:
    certificate = make(file, "diff", "lgn.conj34", "--to", str(bound))
    print(accepted(file, certificate))
    header, body, seal = certificate[:32], certificate[32:-32], certificate[-32:]
    body = zstd("-dc", body)
    refused = 0
    for _ in range(DAMAGED):
        at = random.randrange(len(body))
        byte = (body[at] + random.randrange(1, 256)) % 256
        other = body[:at] + bytes([byte]) + body[at + 1 :]
        refused += accepted(file, header + zstd("-c", other) + seal) is None
    print(f"    {refused} of {DAMAGED} damaged certificates are refused")
    # A damaged certificate can be a certificate too, if another family fits.
    assert refused > DAMAGED // 2
    assert accepted(file, header + zstd("-c", body[:-1]) + seal) is None


Place = tuple[str | int, ...]


def numbers(of: object, place: Place = ()) -> Iterator[Place]:
    """Lists the places of all numbers and outcomes in a certificate."""
    if isinstance(of, dict):
        for name, value in of.items():
            if name not in UNREAD:
                yield from numbers(value, (*place, name))
    elif isinstance(of, list):
        for number, value in enumerate(of):
            yield from numbers(value, (*place, number))
    elif isinstance(of, int) or of in OUTCOMES:
        yield place


def rows(file: Path, *command: str) -> None:
    certificate = make(file, *command)
    print(accepted(file, certificate))
    places = list(numbers(json.loads(certificate)))
    refused = 0
    for _ in range(DAMAGED):
        other = json.loads(certificate)
        *path, last = random.choice(places)
        at = functools.reduce(lambda inside, name: inside[name], path, other)
        if isinstance(at[last], int):
            at[last] = random.choice([n for n in range(at[last] + 5) if n != at[last]])
        else:
            at[last] = random.choice([o for o in OUTCOMES if o != at[last]])
        statement = accepted(file, json.dumps(other).encode())
        refused += statement is None
        assert statement is None or str([*path, last][0]) in LOOSE, (path, last, at[last], statement)
    print(f"    {refused} of {DAMAGED} damaged certificates are refused")
    assert refused > DAMAGED // 2


random.seed(1)
with tempfile.TemporaryDirectory() as folder:
    name = Path(folder) / "certificate"
    conjecture(name, 400)
    for game in "end-nim", "misere-end-nim", "loop-end-nim":
        rows(name, "prove", game, "--piles", "2")
    rows(name, "prove", "end-nim", "--piles", "2", "--convention", "misere")
    rows(name, "prove", "end-nim", "--piles", "6", "--outcomes")
    rows(name, "prove", "end-wythoff", "--piles", "1")
    rows(name, "prove", "partizan-end-nim", "--piles", "1")
    rows(name, "families", "end-nim", "3* 1 3*")
    rows(name, "families", "misere-end-nim", "3* 2,2 3*")
    rows(name, "families", "loop-end-nim", "3* 2,2 3*")
    rows(name, "families", "end-nim", "(3,2,1)* 3,1 3*")
    rows(name, "families", "partizan-end-nim", "2* 1 2*")
