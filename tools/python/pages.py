"""Prepares the documents for the site: a page for the package, and links that lead out of it.

python pages.py FOLDER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# Where a link to a file or folder that is no page of the site leads.
SOURCE = Path(__file__).resolve().parents[2]

MODULES = ["database", "levels", "positions", "questions", "papers", "show", "errors"]


def api() -> str:
    """Write the page of the package."""
    text = (SOURCE / "tools/python/README.md").read_text()
    parts = [text, "## Reference\n"]
    parts += [f"### grundy.{name}\n\n::: grundy.{name}\n" for name in MODULES]
    return "\n".join(parts)


def without_sources(page: Path, pages: Path) -> str:
    """Turn links to files that the site does not have into names of files."""

    def mend(link: re.Match[str]) -> str:
        label, target = link.group(1), link.group(2)
        if re.match(r"[a-z]+:|#", target):
            return link.group(0)
        place = (page.parent / target.split("#")[0]).resolve()
        if place.is_file() and place.is_relative_to(pages.resolve()):
            return link.group(0)
        if not (SOURCE / page.relative_to(pages).parent / target.split("#")[0]).exists():
            raise SystemExit(f"{page.relative_to(pages)}: there is no {target}")
        return f"{label} (`{target}`)" if label.strip("`") != target else f"`{target}`"

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", mend, page.read_text())


def main() -> None:
    """Prepare all pages."""
    pages = Path(sys.argv[1])
    for page in [*pages.glob("*.md"), *pages.glob("docs/*.md")]:
        page.write_text(without_sources(page, pages))
    (pages / "python.md").write_text(api())


main()
