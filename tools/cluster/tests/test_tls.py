"""TLS with certificates made here; nobody without one is let in."""

from __future__ import annotations

from pathlib import Path

import pytest
import trustme
from harness import Call, Cluster


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Give the folders of two authorities that do not trust each other."""
    folders = []
    for name in ("ours", "theirs"):
        folder = tmp_path_factory.mktemp(name)
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1", "localhost")
        authority.cert_pem.write_to_path(str(folder / "ca.pem"))
        issued.private_key_pem.write_to_path(str(folder / "key.pem"))
        for chain in issued.cert_chain_pems:
            chain.write_to_path(str(folder / "cert.pem"), append=True)
        folders.append(folder)
    return folders[0], folders[1]


def options(folder: Path) -> tuple[str, ...]:
    ca, cert, key = (str(folder / name) for name in ("ca.pem", "cert.pem", "key.pem"))
    return ("--tls-ca", ca, "--tls-cert", cert, "--tls-key", key)


def test_who_has_a_certificate_is_let_in_and_nobody_else(
    certificates: tuple[Path, Path], call: Call, double: str, tmp_path: Path
) -> None:
    ours, theirs = certificates
    cluster = Cluster(tmp_path, options(ours)).start({})
    try:
        words = ["build", "--scheduler-file", cluster.file, "--program", double]
        words += ["--results", tmp_path / "results", "--db", tmp_path / "db"]
        good = call(*words, *options(ours))
        assert good.returncode == 0, good.stderr
        assert "scheduler tls://127.0.0.1:" in good.stderr
        other = call(*words, "--results", tmp_path / "r2", "--timeout", 2, *options(theirs))
        assert other.returncode == 2, other.stderr
        assert "there is no scheduler at tls://" in other.stderr
        plain = call(*words, "--results", tmp_path / "r3", "--timeout", 2)
        assert plain.returncode == 2, plain.stderr
        assert "wants certificates" in plain.stderr
    finally:
        cluster.stop()


def test_a_certificate_that_is_not_there_is_told(
    certificates: tuple[Path, Path], call: Call, double: str, tmp_path: Path
) -> None:
    words = ["build", "--local", 1, "--program", double, "--results", tmp_path / "r"]
    done = call(*words, *options(tmp_path))
    assert done.returncode == 2
    assert "there is no certificate or key" in done.stderr
