"""Gives certificates to the checkers that Coq has proved: sound ones, and damaged ones.

python3 certificates.py GRUNDY CHECKER   the program that makes certificates, and the checker
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

GRUNDY, CHECKER = sys.argv[1:]
DAMAGED = 40


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


random.seed(1)
with tempfile.TemporaryDirectory() as folder:
    conjecture(Path(folder) / "certificate", 400)
