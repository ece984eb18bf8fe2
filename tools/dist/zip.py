"""Packs a folder as a zip file whose bytes depend only on its files: zip.py FOLDER FILE SECONDS."""

import sys
import time
import zipfile
from pathlib import Path


def main() -> None:
    folder, to, seconds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    date = time.gmtime(seconds)[:6]
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = Path(folder.name, path.relative_to(folder)).as_posix()
                entry = zipfile.ZipInfo(name, date)
                entry.compress_type = zipfile.ZIP_DEFLATED
                # Declare that Unix made the file, so that readers use the permission bits.
                entry.create_system = 3
                entry.external_attr = (0o100755 if path.suffix == ".exe" else 0o100644) << 16
                archive.writestr(entry, path.read_bytes())


main()
