"""What notebooks show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

# Larger tables are cut.
MOST_ROWS = 60


def sentence(text: str) -> str:
    """Write a sentence."""
    return f"<p>{escape(text)}</p>"


def table(
    title: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    strong: Collection[int] = (),
) -> str:
    """Write a table; the rows with the numbers of `strong` stand out."""
    lines = ["<table>"]
    if title:
        lines.append(f"<caption>{escape(title)}</caption>")
    if head:
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        lines.append(f"<thead><tr>{cells}</tr></thead>")
    lines.append("<tbody>")
    for number, row in enumerate(rows[:MOST_ROWS]):
        style = ' style="font-weight:bold"' if number in strong else ""
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
        lines.append(f"<tr{style}>{cells}</tr>")
    if len(rows) > MOST_ROWS:
        lines.append(
            f'<tr><td colspan="{max(1, len(head))}">and {len(rows) - MOST_ROWS} more</td></tr>'
        )
    lines.append("</tbody></table>")
    return "".join(lines)


def position(text: str, piles: Sequence[int]) -> str:
    """Write a position as piles of dots, if it is small enough to be looked at."""
    named = f"<code>{escape(text)}</code>"
    if not piles or len(piles) > 30 or max(piles) > 16:
        return named
    high = max(piles)
    style = "border:none;padding:0 6px;text-align:center;line-height:0.8"
    rows = "".join(
        "<tr>"
        + "".join(f'<td style="{style}">{"●" if pile >= level else ""}</td>' for pile in piles)
        + "</tr>"
        for level in range(high, 0, -1)
    )
    feet = "".join(f'<td style="{style};line-height:1.6">{pile}</td>' for pile in piles)
    return f"<div>{named}<table>{rows}<tr>{feet}</tr></table></div>"


# Blue for 0, then from light to dark by value: fixed, so that pictures can be compared.
def colour(value: int, most: int = 64) -> str:
    """Give the background of a value in a table."""
    if value == 0:
        return "#9ecae1"
    light = 97 - 55 * min(value, most) / most
    return f"hsl(32,70%,{light:.0f}%)"


def tile(title: str, values: Sequence[Sequence[int]], letters: Sequence[str] | None) -> str:
    """Write a tile, with the piles at its borders."""
    size = len(values)
    if size > 32:
        return f"<div>{escape(title)}: {size} × {size} values; grundy.show.tile draws it</div>"
    head = "<th></th>" + "".join(f"<th>{b}</th>" for b in range(1, size + 1))
    lines = [f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>"]
    for a, row in enumerate(values, 1):
        cells = "".join(
            f'<td style="background:{colour(value)};color:#111;text-align:right">'
            f"{value if letters is None else letters[value]}</td>"
            for value in row
        )
        lines.append(f"<tr><th>{a}</th>{cells}</tr>")
    lines.append("</tbody></table>")
    return "".join(lines)


# What LaTeX reads as something else.
_ESCAPED = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "{}_&%$#"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "→": r"$\to$",
        "✓": r"$\checkmark$",
        "✗": r"$\times$",
    }
)


def latex_text(text: str) -> str:
    """Write a text within a formula."""
    return rf"\text{{{text.translate(_ESCAPED)}}}" if text else ""


def latex_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table as a formula."""
    lines = [" & ".join(latex_text(cell) for cell in row) for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        lines.append(latex_text(f"and {len(rows) - MOST_ROWS} more"))
    if any(head):
        lines = [" & ".join(latex_text(cell) for cell in head) + r" \\ \hline", *lines]
    joined = r" \\ ".join(lines).replace(r"\hline \\", r"\hline")
    return rf"$\begin{{array}}{{{'l' * max(1, len(head))}}}{joined}\end{{array}}$"


def latex_tile(values: Sequence[Sequence[int]], letters: Sequence[str] | None) -> str | None:
    """Write a tile as a formula, with the piles at its borders; none that is too large to read."""
    size = len(values)
    if size > 32:
        return None
    head = "".join(f" & {b}" for b in range(1, size + 1))
    lines = [
        f"{a} & " + " & ".join(str(v) if letters is None else letters[v] for v in row)
        for a, row in enumerate(values, 1)
    ]
    body = r" \\ ".join(lines)
    return rf"$\begin{{array}}{{r|{'r' * size}}}{head} \\ \hline {body}\end{{array}}$"
