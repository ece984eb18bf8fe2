"""Statements, sequences, claims and periods."""

import itertools
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import grundy

from . import rules


def zeros(most: int) -> list[tuple[int, ...]]:
    """Return the P-positions of three piles of End-Nim, by the rules."""
    positions = itertools.product(range(1, most + 1), repeat=3)
    return [p for p in positions if rules.value("end-nim", (p, None)) == 0]


def test_a_statement_is_checked(db: grundy.Database) -> None:
    verdict = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 1", 3, 8)
    positions = list(itertools.product(range(1, 9), repeat=3))
    premise = [p for p in positions if rules.value("end-nim", (p, None)) == 1]
    failures = [p for p in premise if abs(p[0] - p[-1]) > 1]
    counts = (verdict.checked, verdict.premise, verdict.failures)
    assert counts == (512, len(premise), len(failures))
    assert verdict.first is not None
    assert verdict.first.position.piles == min(failures, key=lambda p: (sum(p), p))
    assert not verdict and verdict.verdict == "fails" and verdict.source == "computed"
    stored = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 1", 3, 8, db=db)
    assert (stored.max_pile, stored.source, stored.failures) == (8, "table", len(failures))
    assert "✗" in verdict._repr_html_() and "least counterexample" in str(verdict)
    assert grundy.check("end-nim", "P -> first == last", (2, 3), 6).holds


def test_statements_and_classes_for_piles_of_all_sizes(program: str, tmp_path: Path) -> None:
    proved = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 2", 3, all_sizes=True)
    assert proved and proved.proof is not None and proved.reason is None
    assert (proved.proof[:3], proved.checked) == ((3, 2, 18), 18**3)
    assert "all sizes" in str(proved)
    false = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 1", 3, all_sizes=True)
    assert (false.verdict, false.proof) == ("fails", None) and false.first is not None
    assert false.first.position.piles == (1, 3, 3)
    unclear = grundy.check("end-nim", "P -> last - first <= p2", 3, all_sizes=True)
    assert (unclear.verdict, unclear.proof, bool(unclear)) == ("undecided", None, False)
    assert "weighs the differences" in str(unclear.reason)
    with pytest.raises(ValueError, match="about one length"):
        grundy.check("end-nim", "P", (1, 2), all_sizes=True)
    late = grundy.check("end-nim", "g < 12 or g >= 12", 3, all_sizes=True, seconds=0.1)
    assert late.verdict == "undecided" and "stopped" in str(late.reason)
    found = grundy.classes("end-nim", 3, (0, 1))
    for one in found:
        assert one.proved and one.counts is not None
        assert grundy.check("end-nim", one.statement, 3, 9)
        start, polynomials = one.counts
        for n in range(start, 8):
            rows = itertools.product(range(1, n + 1), repeat=3)
            number = sum(rules.value("end-nim", (p, None)) == one.value for p in rows)
            assert eval(polynomials[n % len(polynomials)], {"n": n}) == number
    for text in (proved.proof.certificate, found.certificate):
        file = tmp_path / "certificate.json"
        file.write_bytes(text or b"")
        command = [program, "verify", "--certificate", str(file)]
        assert subprocess.run(command, check=True, capture_output=True).returncode == 0
    nothing = grundy.classes("wythoff", 2, 0)
    assert not nothing and nothing.certificate is None and "comparisons" in str(nothing.reason)
    assert [one.value for one in grundy.classes("partizan-end-nim", 2)] == ["L", "R", "N", "P"]
    for values in (None, (2, 1)):
        with pytest.raises(ValueError, match="values"):
            grundy.classes("nim", 2, values)


def test_statements_name_rule_files(tmp_path: Path) -> None:
    file = tmp_path / "b.game"
    move = "move: i in 1..k, t in 1..min(2, piles[i]): piles[i] -= t"
    file.write_text(f"name: b\ntitle: B\nsource: b\npiles: heaps\n{move}\n")
    by_path = grundy.check("nim", f"g[{file}] <= 3", 2, 9)
    by_name = grundy.check("nim", "g[b] <= 3", 2, 9, games=[str(file)])
    assert by_path.holds and by_name.holds and by_path.statement == by_name.statement
    assert by_name.statement.startswith("g[b-")
    found = grundy.find("nim", "P[b]", 1, 9, games=[str(file)])
    assert found == grundy.find("nim", "p1 % 3 == 0", 1, 9)
    with pytest.raises(grundy.StatementError, match="unknown game"):
        grundy.check("nim", "g[other] <= 3", 2, 9, games=[str(file)])


def test_positions_are_found(db: grundy.Database) -> None:
    found = grundy.find("end-nim", "P", 3, 4)
    assert [position.piles for position in found] == zeros(4)
    assert set(found.values) == {0}
    assert found.complete and found.total == len(zeros(4))
    for first in (0, 5):
        cut = grundy.find("end-nim", "P", 3, 4, first=first, db=db)
        assert cut == found[:first] and not cut.complete and cut.total == len(found)
    # There are 64 * 63 P-positions: the rows a, b, a where b differs from a.
    assert len(grundy.find("end-nim", "P", 3, 64)) == 4032
    assert grundy.find("partizan-end-nim", "L", 2, 3).values[0] == "L"
    assert "1,2,1" in found._repr_html_()


def test_sequences(db: grundy.Database) -> None:
    terms = grundy.sequence("end-nim", "P", 3, to=5)
    assert list(terms) == [sum(max(p) == n for p in zeros(5)) for n in range(1, 6)]
    assert terms[1] == 0 and terms.offset == 1
    sums = grundy.sequence("end-nim", "P", 3, to=5, cumulative=True)
    assert sums[5] == len(zeros(5))
    total = grundy.sequence("end-nim", "P", 3, to=5, by="total")
    assert total[5] == sum(sum(p) == 5 for p in zeros(5))
    row = grundy.sequence("end-nim", row=(5, 4), to=6)
    assert row.offset == 0 and row[0] == rules.value("end-nim", ((5, 4), None))
    assert list(row)[1:] == [rules.value("end-nim", ((5, 4, b), None)) for b in range(1, 7)]
    single = grundy.sequence("short-global-nim", to=12)
    assert single[0] == 0
    assert list(single)[1:] == [rules.value("short-global-nim", ((n,), 0)) for n in range(1, 13)]
    assert row.to_bfile().splitlines()[3] == "1 4"


def test_claims_and_their_verdicts(db: grundy.Database) -> None:
    claims = grundy.claims("ch.")
    assert all(claim.id.startswith("ch.") for claim in claims)
    assert len(grundy.claims()) > len(claims)
    verdict = grundy.diff("ch.thm5.1", max_pile=8, db=db)[0]
    assert verdict.holds and not verdict.is_surprise and verdict.checked == 512
    assert verdict.source == "table"
    assert "ch.thm5.1" in grundy.diff(["ch.thm5.1", "ch.thm5.2"], max_pile=6)._repr_html_()


def test_verdicts_are_those_of_the_command_line(program: str, tmp_path: Path) -> None:
    command = [program, "--json", "--db", str(tmp_path), "diff", "ch.", "--max-pile", "12"]
    said = subprocess.run(command, capture_output=True, text=True)
    lines = {line["claim"]: line for line in map(json.loads, said.stdout.splitlines())}
    ours = grundy.diff("ch.", max_pile=12)
    assert {verdict.claim for verdict in ours} == set(lines)
    for verdict in ours:
        line = lines[verdict.claim]
        for field in ("verdict", "expected", "checked", "failures", "premise", "range", "unit"):
            assert getattr(verdict, field) == line[field], (verdict.claim, field)
        sizes = line.get("all_sizes", {"proved": False, "words": None})
        assert (verdict.proved, verdict.all_sizes) == (sizes["proved"], sizes["words"])
    assert any(verdict.proved for verdict in ours)


def test_totals() -> None:
    # The P-positions a, b, a with b other than a, and piles up to 4.
    found = grundy.totals("end-nim", "P", "total - middle[1]", 3, 4)
    assert (found.count, found.sum) == (12, 3 * 2 * (1 + 2 + 3 + 4))
    assert (found.max, str(found.position)) == (8, "4,1,4")
    nothing = grundy.totals("end-nim", "g < 0", "total", 3, 4)
    assert nothing == grundy.Totals(0, 0, None, None)
    # Positions of several piles of a sum have nim-sums as values.
    kayles = grundy.totals("kayles", "P", "last - first", 2, 12)
    assert kayles.count == len(grundy.find("kayles", "P", 2, 12)) > 12
    with pytest.raises(grundy.StatementError):
        grundy.totals("nim", "P", "g == 0", 2, 3)


def test_periods() -> None:
    rows = grundy.periods("end-nim", 4, (3,), to=2000, all=True)
    assert [row.left for row in rows] == [1, 2, 3, 4]
    for row in rows:
        assert row.proved and row.period is not None and row.left is not None
        far = grundy.open().row("end-nim", (row.left, 3), 400)
        assert [row.value(b) for b in range(1, 401)] == far.tolist()
    small = [rules.value("end-nim", ((4, 3, b), None)) for b in range(1, 7)]
    assert rows[-1].values[:6].tolist() == small
    assert isinstance(rows[0].values, np.ndarray)


def test_a_largest_total() -> None:
    # There are 21 positions a, b with a + b <= 5. Those with |a - b| <= 1 are P-positions.
    found = grundy.find("yama-nim", "P", 2, max_total=5)
    assert found == grundy.find("yama-nim", "P", 2, 5) and len(found) == 9
    checked = grundy.check("yama-nim", "total <= 5", 2, max_total=5)
    assert checked.checked == 21 and checked.within == "total"
    assert "yama-nim" in str(checked) and "total <= 5, length 2" in str(checked)
    assert grundy.totals("yama-nim", "true", "1", 2, max_total=5).sum == 21
    with pytest.raises(grundy.SizeError, match="`within: total`; for nim give a max pile of 5"):
        grundy.check("nim", "P", 2, max_total=5)
    with pytest.raises(grundy.SizeError, match="`within: total`"):
        grundy.guess("nim", 2, max_total=5)
    with pytest.raises(grundy.SizeError, match="give one of them"):
        grundy.find("yama-nim", "P", 2, 5, max_total=5)
