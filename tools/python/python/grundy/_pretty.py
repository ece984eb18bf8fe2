"""HTML and LaTeX for notebooks."""

from collections.abc import Collection, Iterable, Sequence
from html import escape

# The largest number of rows of a table to show.
MOST_ROWS = 60


def sentence(text: str) -> str:
    """Return a sentence as HTML."""
    return f"<p>{escape(text)}</p>"


def table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], strong: Collection[int] = ()
) -> str:
    """Return a table as HTML. The rows whose indices are in `strong` are bold."""
    lines = [f"<caption>{escape(title)}</caption>"] if title else []
    if head:
        lines.append(f"<thead><tr>{_cells('th', head)}</tr></thead>")
    lines.append("<tbody>")
    for number, row in enumerate(rows[:MOST_ROWS]):
        style = ' style="font-weight:bold"' if number in strong else ""
        lines.append(f"<tr{style}>{_cells('td', row)}</tr>")
    if more := len(rows[MOST_ROWS:]):
        lines.append(f'<tr><td colspan="{max(1, len(head))}">and {more} more</td></tr>')
    return f"<table>{''.join(lines)}</tbody></table>"


def _cells(tag: str, texts: Iterable[object], style: str = "") -> str:
    opened = f'<{tag} style="{style}">' if style else f"<{tag}>"
    return "".join(f"{opened}{escape(str(text))}</{tag}>" for text in texts)


def position(text: str, piles: Sequence[int]) -> str:
    """Return a position as piles of dots; a large position as text."""
    named = f"<code>{escape(text)}</code>"
    if not piles or len(piles) > 30 or max(piles) > 16:
        return named
    style = "border:none;padding:0 6px;text-align:center;line-height:0.8"
    levels = ([("●" if pile >= at else "") for pile in piles] for at in range(max(piles), 0, -1))
    rows = "".join(f"<tr>{_cells('td', level, style)}</tr>" for level in levels)
    feet = _cells("td", piles, f"{style};line-height:1.6")
    return f"<div>{named}<table>{rows}<tr>{feet}</tr></table></div>"


def _colour(value: int, most: int = 64) -> str:
    # 0 is blue; larger values are darker. All tiles have the same scale.
    light = 97 - 55 * min(value, most) / most
    return f"hsl(32,70%,{light:.0f}%)" if value else "#9ecae1"


def _shown(value: int, letters: Sequence[str] | None) -> int | str:
    # A negative value marks a position that the rules exclude.
    if value < 0:
        return ""
    return value if letters is None else letters[value]


def tile(
    title: str, values: Sequence[Sequence[int]], letters: Sequence[str] | None, first: int = 1
) -> str:
    """Return a tile as HTML, with the piles at its borders."""
    size = len(values)
    if size > 32:
        return f"<div>{escape(title)}: {size} × {size} values; grundy.show.tile draws it</div>"
    head = _cells("th", ["", *range(first, size + first)])
    lines = [f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>"]
    for a, row in enumerate(values, first):
        cells = "".join(
            f'<td style="background:{_colour(value)};color:#111;text-align:right">'
            f"{_shown(value, letters)}</td>"
            for value in row
        )
        lines.append(f"<tr><th>{a}</th>{cells}</tr>")
    return "".join(lines) + "</tbody></table>"


# Characters with a special meaning in LaTeX.
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
    """Return a text for use within a formula."""
    return rf"\text{{{text.translate(_ESCAPED)}}}" if text else ""


def latex_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as a formula."""
    lines = [_latex_line(map(latex_text, row)) for row in rows[:MOST_ROWS]]
    if more := len(rows[MOST_ROWS:]):
        lines.append(latex_text(f"and {more} more"))
    top = _latex_line(map(latex_text, head)) + r" \\ \hline " if any(head) else ""
    return _latex_array("l" * max(1, len(head)), top, lines)


def latex_tile(
    values: Sequence[Sequence[int]], letters: Sequence[str] | None, first: int = 1
) -> str | None:
    """Return a tile as a formula, with the piles at its borders; None if it is too large."""
    size = len(values)
    if size > 32:
        return None
    head = _latex_line(["", *range(first, size + first)])
    texts = ([_shown(value, letters) for value in row] for row in values)
    lines = [_latex_line([a, *row]) for a, row in enumerate(texts, first)]
    return _latex_array("r|" + "r" * size, rf"{head} \\ \hline ", lines)


def _latex_line(cells: Iterable[object]) -> str:
    return " & ".join(map(str, cells))


def _latex_array(columns: str, top: str, lines: Sequence[str]) -> str:
    body = (top + r" \\ ".join(lines)).rstrip()
    return rf"$\begin{{array}}{{{columns}}}{body}\end{{array}}$"
