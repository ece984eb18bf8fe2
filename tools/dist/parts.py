"""Lists a program's parts and their licences: parts.py TARGET FOLDER ZIG, in the repository root.

The script writes three files into FOLDER. LICENCES-OF-PARTS.md contains every licence of every
package compiled into the program for this target. LICENCES-OF-RUST.html contains the licences of
Rust's standard library, as Rust ships them. sbom.cdx.json is the list of parts (CycloneDX 1.5).
Packages used only during compilation are left out. ZIG is the folder of zig's package, whose linker
adds the other parts.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

# Names of licence files, or of folders that contain licence files.
NAMES = re.compile(r"(un)?licen[sc]es?|copying|copyright|notice", re.IGNORECASE)
PROGRAMS = {".c", ".h", ".py", ".rs"}
# zstd is under BSD or the GPL; this program uses it under BSD.
NOT_CHOSEN = {("zstd-sys", "zstd/COPYING")}


def said(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def tree(target: str) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Return the packages in the program, each as (name, version), with its dependencies."""
    uses: dict[tuple[str, str], set[tuple[str, str]]] = {}
    above: list[tuple[str, str]] = []
    lines = said(
        "cargo", "tree", "--locked", "-p", "grundy-cli", "--target", target,
        "-e", "normal,no-proc-macro", "--prefix", "depth", "-f", " {p}",
    ).splitlines()  # fmt: skip
    for line in filter(None, lines):
        depth, name, version = line.split()[:3]
        package = name, version.removeprefix("v")
        uses.setdefault(package, set())
        above[int(depth) :] = [package]
        if len(above) > 1:
            uses[above[-2]].add(package)
    return uses


def linked(target: str, zig: Path) -> list[tuple[str, str, Path]]:
    """Return the parts that the linker adds: name, licence, and file of the licence."""
    libc = zig / "lib" / "libc"
    parts = [("zig's compiler-rt", "MIT", zig / "LICENSE")]
    if "apple" not in target:
        where = zig / "lib" / "libunwind" / "LICENSE.TXT"
        parts.append(("LLVM's libunwind", "Apache-2.0 WITH LLVM-exception", where))
    if target.endswith("-musl"):
        parts.append(("musl", "MIT", libc / "musl" / "COPYRIGHT"))
    if target.endswith("-linux-gnu"):
        # The licence of the start-up code does not extend to programs that are linked with it.
        parts.append(("glibc's start files", "LGPL-2.1-or-later", libc / "glibc" / "LICENSES"))
    if "windows" in target:
        parts.append(("mingw-w64's runtime", "ZPL-2.1", libc / "mingw" / "COPYING"))
    return parts


def main() -> None:
    target, to, zig = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    uses = tree(target)
    metadata = json.loads(
        said("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target)
    )
    packages = {(package["name"], package["version"]): package for package in metadata["packages"]}
    locked = r'name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"'
    found = re.findall(locked, Path("Cargo.lock").read_text())
    digests = {(name, version): digest for name, version, digest in found}

    # --- The list of parts ---------------------------------------------------------------

    def purl(part: tuple[str, str]) -> str:
        return f"pkg:cargo/{part[0]}@{part[1]}"

    def licence(part: tuple[str, str]) -> str:
        # A slash is an old notation for "or".
        return packages[part]["license"].replace("/", " OR ")

    def component(part: tuple[str, str]) -> dict[str, object]:
        entry: dict[str, object] = {
            "type": "library",
            "bom-ref": purl(part),
            "name": part[0],
            "version": part[1],
            "licenses": [{"expression": licence(part)}],
            "purl": purl(part),
        }
        if part in digests:
            entry["hashes"] = [{"alg": "SHA-256", "content": digests[part]}]
        return entry

    def other(name: str, expression: str) -> dict[str, object]:
        return {"type": "library", "name": name, "licenses": [{"expression": expression}]}

    program = next(part for part in uses if part[0] == "grundy-cli")
    rust = said("rustc", "--version").strip()
    added = linked(target, zig)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%FT%TZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "component": component(program) | {"type": "application"},
            "properties": [
                {"name": "cdx:rustc:sbom:target:triple", "value": target},
                {"name": "grundy:commit", "value": os.environ["GRUNDY_COMMIT"]},
            ],
        },
        "components": [component(part) for part in sorted(uses) if part != program]
        + [other(f"the standard library of {rust}", "MIT OR Apache-2.0")]
        + [other(name, expression) for name, expression, _ in added],
        "dependencies": [
            {"ref": purl(part), "dependsOn": sorted(map(purl, uses[part]))} for part in sorted(uses)
        ],
    }
    (to / "sbom.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")

    # --- The licences --------------------------------------------------------------------

    # Texts of licences that differ only in line breaks are written once.
    texts: dict[str, tuple[str, list[str]]] = {}

    def add(path: Path, whose: str) -> None:
        text = path.read_text(encoding="utf-8").strip()
        texts.setdefault(" ".join(text.split()), (text, []))[1].append(whose)

    ours = set(metadata["workspace_members"])
    for part in sorted(uses):
        if packages[part]["id"] in ours:
            continue
        folder = Path(packages[part]["manifest_path"]).parent
        # Packages keep the licences of code by others in subfolders.
        found = [
            path
            for path in sorted(folder.rglob("*"))
            if path.is_file()
            and (NAMES.match(path.name) or NAMES.fullmatch(path.parent.name))
            and path.suffix not in PROGRAMS
            and (part[0], path.relative_to(folder).as_posix()) not in NOT_CHOSEN
        ]
        if not found:
            sys.exit(f"dist: {part[0]} {part[1]} contains no licence")
        for path in found:
            below = path.relative_to(folder).parent.as_posix()
            where = "" if below == "." else f", in {below}"
            add(path, f"{part[0]} {part[1]} ({licence(part)}){where}")
    for name, expression, path in added:
        add(path, f"{name} ({expression})")
    document = [
        "# Licences of the parts\n",
        "Grundy is licensed under MIT or Apache-2.0, as you like (LICENSE-MIT, LICENSE-APACHE). The packages",
        "below are compiled or linked into this program, each under its own licence. The licences of",
        f"the standard library of {rust} are in LICENCES-OF-RUST.html.\n",
    ]
    for text, owners in texts.values():
        document += [f"* {owner}" for owner in owners] + ["", "~~~~~text", text, "~~~~~", ""]
    (to / "LICENCES-OF-PARTS.md").write_text("\n".join(document), encoding="utf-8")
    sysroot = Path(said("rustc", "--print", "sysroot").strip())
    shutil.copyfile(
        sysroot / "share" / "doc" / "rust" / "COPYRIGHT-library.html", to / "LICENCES-OF-RUST.html"
    )
    print(f"{len(uses)} packages, {len(texts)} texts of licences")


main()
