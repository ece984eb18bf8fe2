"""Looks whether each link of a site within itself leads somewhere.

python links.py FOLDER
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """The links of a page, and the names in it that links lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in a tag."""
        for key, value in attrs:
            if key in ("href", "src") and value:
                self.links.append(value)
            elif key in ("id", "name") and value:
                self.names.add(value)


def read(page: Path) -> Links:
    """Read a page."""
    links = Links()
    links.feed(page.read_text(errors="replace"))
    return links


def main() -> None:
    """Say what leads nowhere, and fail if anything does."""
    site = Path(sys.argv[1]).resolve()
    # The pages of cargo doc have been checked by it, and make links while they are shown.
    pages = {
        page: read(page)
        for page in site.rglob("*.html")
        if "crates" not in page.relative_to(site).parts[:1]
    }
    wrong = []
    checked = 0
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith(("data:", "/")):
                continue
            path = unquote(parts.path)
            target = (page.parent / path).resolve() if path else page
            if target.is_dir():
                target /= "index.html"
            checked += 1
            if not target.exists():
                wrong.append(f"{page.relative_to(site)}: {link}")
            elif parts.fragment and target in pages:
                name = unquote(parts.fragment)
                if name not in pages[target].names and not name.startswith("__"):
                    wrong.append(f"{page.relative_to(site)}: {link}")
    print("\n".join(sorted(set(wrong))), end="\n" if wrong else "")
    print(f"{checked} links on {len(pages)} pages, {len(wrong)} lead nowhere")
    sys.exit(1 if wrong else 0)


main()
