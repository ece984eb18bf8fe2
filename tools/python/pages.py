"""Prepares the pages of the documentation site, and checks the links within the site.

python pages.py prepare FOLDER
python pages.py check SITE
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# The root of the repository, which contains the files outside the site that pages link to.
SOURCE = Path(__file__).resolve().parents[2]

MODULES = ["database", "levels", "positions", "questions", "papers", "theorems", "show", "errors"]


def prepare(pages: Path) -> None:
    """Add the page about the package, and replace links to files outside the site with names."""
    for page in [*pages.glob("*.md"), *pages.glob("docs/*.md")]:
        page.write_text(without_sources(page, pages))
    text = (SOURCE / "tools/python/README.md").read_text()
    parts = [text, "## Reference\n", "::: grundy\n    options:\n      members: false\n"]
    parts += [f"### grundy.{name}\n\n::: grundy.{name}\n" for name in MODULES]
    (pages / "python.md").write_text("\n".join(parts))


def without_sources(page: Path, pages: Path) -> str:
    """Return a page in which plain names replace links to files outside the site."""

    def mend(link: re.Match[str]) -> str:
        label, target = link.group(1), link.group(2)
        if label is None:  # code, in which `g[nim](p1)` is not a link
            return link.group(0)
        if re.match(r"[a-z]+:|#", target):
            return link.group(0)
        file = target.split("#")[0]
        place = (page.parent / file).resolve()
        if place.is_file() and place.is_relative_to(pages.resolve()):
            return link.group(0)
        if not (SOURCE / page.relative_to(pages).parent / file).exists():
            raise SystemExit(f"{page.relative_to(pages)}: there is no {target}")
        return f"{label} (`{target}`)" if label.strip("`") != target else f"`{target}`"

    code = r"(?ms:^```.*?^```)|`[^`\n]*`"
    return re.sub(code + r"|(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", mend, page.read_text())


class Page(HTMLParser):
    """The links of a page, and its link targets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Process a tag."""
        self.links += [value for key, value in attrs if key in ("href", "src") and value]
        self.names |= {value for key, value in attrs if key in ("id", "name") and value}


def check(site: Path) -> None:
    """Report broken links, and fail if there are any."""
    # Skip the pages of `cargo doc`, which has already checked their links. Scripts in these pages
    # add links in the browser.
    files = [file for file in site.rglob("*.html") if not file.is_relative_to(site / "crates")]
    pages = {file: Page(file.read_text(errors="replace")) for file in files}
    wrong, checked = set(), 0
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("/"):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if target.is_dir():
                target /= "index.html"
            name = unquote(parts.fragment)
            is_named = not name or name.startswith("__") or target not in pages
            checked += 1
            if not target.exists() or not (is_named or name in pages[target].names):
                wrong.add(f"{page.relative_to(site)}: {link}")
    print("".join(f"{line}\n" for line in sorted(wrong)), end="")
    print(f"{checked} links on {len(pages)} pages, {len(wrong)} are broken")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    {"prepare": prepare, "check": check}[sys.argv[1]](Path(sys.argv[2]).resolve())
