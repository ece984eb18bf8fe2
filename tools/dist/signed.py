"""Checks the embedded signature of a program for macOS: signed.py PROGRAM [--name-by-content].

With --name-by-content the script first gives the program an id (LC_UUID) that depends only on the
content, and signs the page with the id again. The linker's id also depends on parts that are
stripped later, such as names of folders on the machine.

A Mac with an ARM processor does not run unsigned programs. The signature names nobody ("ad hoc"). It
contains the SHA-256 of each page of the file. This script computes these digests again, as Apple's
`codesign -v` does.
"""

import hashlib
import struct
import sys
from pathlib import Path

MACH_O_64 = 0xFEEDFACF
ARM_64 = 0x0100000C
LC_UUID = 0x1B
LC_CODE_SIGNATURE = 0x1D
SIGNATURES = 0xFADE0CC0
DIRECTORY = 0xFADE0C02
AD_HOC = 0x2
SHA_256 = 2


def main() -> None:
    path = Path(sys.argv[1])
    program = bytearray(path.read_bytes())
    magic, processor, _, _, commands, _, _, _ = struct.unpack_from("<8I", program)
    if magic != MACH_O_64:
        sys.exit("dist: this is not a 64-bit program for macOS")
    at, start, size, uuid = 32, 0, 0, 0
    for _ in range(commands):
        command, length = struct.unpack_from("<2I", program, at)
        if command == LC_CODE_SIGNATURE:
            start, size = struct.unpack_from("<2I", program, at + 8)
        if command == LC_UUID:
            uuid = at + 8
        at += length
    again = "--name-by-content" in sys.argv
    if again and uuid:
        program[uuid : uuid + 16] = bytes(16)
        program[uuid : uuid + 16] = hashlib.sha256(program[: start or None]).digest()[:16]
        path.write_bytes(program)
    if not start and processor != ARM_64:
        print("not signed, because this processor does not require it")
        return
    if not start or start + size != len(program):
        sys.exit("dist: this program has no signature at its end")
    magic, _, count = struct.unpack_from(">3I", program, start)
    if magic != SIGNATURES:
        sys.exit("dist: there is no signature at the place that the header gives")
    for entry in range(count):
        _, offset = struct.unpack_from(">2I", program, start + 12 + 8 * entry)
        here = start + offset
        magic, _, _, flags, hashes, _, _, pages, limit = struct.unpack_from(">9I", program, here)
        if magic != DIRECTORY:
            continue
        length, kind, _, page = struct.unpack_from("4B", program, here + 36)
        if not flags & AD_HOC or kind != SHA_256 or length != 32 or limit != start:
            sys.exit("dist: this is not an ad hoc signature by SHA-256 of all preceding bytes")
        if pages != -(-limit // (1 << page)):
            sys.exit(f"dist: the signature has {pages} pages")
        for number in range(pages):
            part = program[number << page : min(limit, (number + 1) << page)]
            digest = here + hashes + number * length
            if again and number == uuid >> page:
                program[digest : digest + length] = hashlib.sha256(part).digest()
                path.write_bytes(program)
            if hashlib.sha256(part).digest() != program[digest : digest + length]:
                sys.exit(f"dist: page {number} differs from the signed page")
        print(f"signed ad hoc, {pages} pages")
        return
    sys.exit("dist: the signature lists no pages")


main()
