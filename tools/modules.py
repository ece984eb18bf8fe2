"""Finds circular dependencies: groups of modules of a crate that depend on each other.

A module is a file without its tests. A re-exported name (`pub use`) counts as a dependency on the
module that defines it. References from a module to its child modules are not counted. Exits with 1
if a group is not contained in a known group.

python modules.py [FOLDER OF A CRATE...]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# The known groups, by crate. Do not add any, and remove an entry once its group is gone.
KNOWN = {
    # A game uses its numbering or its rule file, and these use the game.
    "crates/rules": "game games index index::boxes index::multisets index::records law::game rules"
    " rulesets size"
}
ROOT = Path(__file__).resolve().parents[1]
RENAMED = re.compile(r" as (\w+)")


def join(*parts: str) -> str:
    """Join the parts of a path, without the empty name of the crate's root."""
    return "::".join(part for part in parts if part)


def read(folder: Path) -> dict[str, str]:
    """Return the code of each module without tests and comments, by name, as in `checks::sets`."""
    code = {}
    for path in (folder / "src").rglob("*.rs"):
        if {"testing", "tests", "main"}.isdisjoint(
            [*path.relative_to(folder).parts[:-1], path.stem]
        ):
            parts = path.relative_to(folder / "src").with_suffix("").parts
            text = path.read_text().split("#[cfg(test)]")[0]
            lines = [line for line in text.split("\n") if not line.lstrip().startswith("//")]
            code[join(*(part for part in parts if part not in ("lib", "mod")))] = "\n".join(lines)
    return code


def expand(text: str, at: int, prefix: str, found: list[tuple[str, str]]) -> int:
    """Add each path imported at `at`, with its name, to `found`; return the end of the import."""
    end = at + len(re.match(r"[\w:]*", text[at:])[0])  # type: ignore[index]
    path = prefix + text[at:end]
    if text[end : end + 1] != "{":
        path = path.removesuffix("::self").removesuffix("::")
        renamed = RENAMED.match(text, end)
        found.append((path, renamed[1] if renamed else path.rpartition("::")[2]))
        return renamed.end() if renamed else end
    at = end + 1
    while True:
        at += len(re.match(r"[ \n,]*", text[at:])[0])  # type: ignore[index]
        after = expand(text, at, path, found)
        if after == at:
            found.pop()
            return at + 1
        at = after


def absolute(module: str, path: str) -> str | None:
    """Convert a path from the root, the module or its parent to a path from the crate's root."""
    first, _, rest = path.partition("::")
    parent = module.rpartition("::")[0]
    if first == "super":
        return absolute(parent, rest) or join(parent, rest)
    return {"crate": rest, "self": join(module, rest)}.get(first) if rest else None


def resolve(path: str, code: dict[str, str], names: dict[tuple[str, str], str]) -> str:
    """Return the module that a path leads to, following re-exports."""
    for _ in range(8):  # no name is re-exported this often
        inside = [module for module in code if not module or f"{path}::".startswith(f"{module}::")]
        module = max(inside, key=len)
        name, _, rest = path[len(module) :].removeprefix("::").partition("::")
        if (module, name) not in names:
            return module
        path = join(names[module, name], rest)
    return ""


def circles(folder: Path) -> set[tuple[str, ...]]:
    """Return the groups of modules of a crate that depend on each other."""
    code = read(folder)
    names: dict[tuple[str, str], str] = {}
    needed: dict[str, set[str]] = {}
    for module, text in code.items():
        for use in re.finditer(r"^ *pub(?:\([a-z ]*\))? use ", text, re.MULTILINE):
            found: list[tuple[str, str]] = []
            expand(text, use.end(), "", found)
            for path, name in found:
                whole = absolute(module, path)
                if whole is None and join(module, path.split("::")[0]) in code:
                    whole = join(module, path)
                if whole is not None:
                    names[module, name] = whole
    for module, text in code.items():
        found = []
        for root in re.finditer(r"(?<![\w:])(?:crate|super)::", text):
            expand(text, root.start(), "", found)
        paths = [whole for path, _ in found if (whole := absolute(module, path)) is not None]
        needed[module] = {resolve(path, code, names) for path in paths} - {"", module}
    needed[""] = set()
    while True:  # until nothing further is reached
        reached = {
            module: others.union(*(needed[other] for other in others))
            for module, others in needed.items()
        }
        if reached == needed:
            break
        needed = reached
    circle = {
        module: tuple(sorted(other for other in needed[module] if module in needed[other]))
        for module in code
    }
    return {modules for modules in circle.values() if modules}


def main(folders: list[Path]) -> int:
    """Print the groups that are not known; return the exit code."""
    new = 0
    for folder in folders:
        crate = folder.resolve().relative_to(ROOT).as_posix()
        for circle in sorted(circles(folder)):
            if not set(circle) <= set(KNOWN.get(crate, "").split()):
                print(
                    f"{crate}: these modules need each other: {' '.join(circle)}", file=sys.stderr
                )
                new = 1
    return new


if __name__ == "__main__":
    crates = sorted(lib.parents[1] for lib in ROOT.glob("*/*/src/lib.rs"))
    sys.exit(main([Path(folder) for folder in sys.argv[1:]] or crates))
