#!/bin/sh
# Makes archives of the program, for people who only want to run it.
#
#   OUT=dist sh tools/dist.sh [TARGET...]
#
# Without targets it makes archives for Linux (static, and on ARM also for glibc), Windows and macOS.
# Each archive has the program, the README and the change log, all licences, completions, manual
# pages, and a list of parts (SBOM, CycloneDX). SHA256SUMS has the digests. KEY, a secret key of
# minisign, signs SHA256SUMS, and PUBKEY checks the signature.
#
# The same commit makes the same bytes in any folder, because paths are replaced, dates are those of
# the commit, and compilers have fixed versions. So the folder must have no uncommitted changes.
#
# TRIAL=yes is a faster test of all this. It allows changes and marks them in the names of the
# archives. It compiles almost without optimisation, like `make foreign`, with the installed Rust.
#
# Each archive is unpacked and tested as far as possible: the program builds, verifies and looks up
# on this processor, on an emulated one, or under Wine. Needs rustup, which installs Rust and its
# libraries for other systems. pip installs zig in a separate folder.
set -eu
cd "$(dirname "$0")/.."

ALL="x86_64-unknown-linux-musl aarch64-unknown-linux-musl aarch64-unknown-linux-gnu
x86_64-pc-windows-gnu x86_64-apple-darwin aarch64-apple-darwin"

folder=${CARGO_TARGET_DIR:-target}
python=${PYTHON:-python3}
# A fixed version, so that the same commit makes the same bytes; tools/zig.sh fixes the version of zig.
rust=1.95.0

stop() {
    echo "dist: $*" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

case $# in 0)
    # shellcheck disable=SC2086 # a list
    set -- $ALL
    ;;
esac
have rustup || stop "rustup is missing; it installs Rust's libraries for other systems"
tar --version 2>/dev/null | grep -q GNU || stop "GNU tar is missing; it is needed for reproducible archives"
[ -z "${KEY:-}" ] || [ -n "${PUBKEY:-}" ] ||
    stop "KEY is set, but PUBKEY is not; it is needed to check the signature"
[ -z "${KEY:-}" ] || have minisign || stop "minisign is missing; it is needed to sign"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
if [ "${TRIAL:-}" = yes ]; then
    profile=foreign
else
    profile=dist
    export RUSTUP_TOOLCHAIN=$rust
    rustup run $rust rustc --version >/dev/null 2>&1 ||
        rustup toolchain install $rust --profile minimal --no-self-update
fi
. tools/dist/env.sh
[ -n "${GRUNDY_COMMIT:-}" ] && [ -n "${GRUNDY_DATE:-}" ] ||
    stop "this folder is not a clone of the repository; set GRUNDY_COMMIT and GRUNDY_DATE"
export SOURCE_DATE_EPOCH="$GRUNDY_DATE"
case $GRUNDY_COMMIT in *-changed)
    [ "${TRIAL:-}" = yes ] || stop "there are uncommitted changes; commit them first (git status)"
    version=$version-changed
    ;;
esac

mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
work=$(mktemp -d)
trap 'if [ -d "$work/wine" ]; then WINEPREFIX="$work/wine" /usr/lib/wine/wineserver64 -k || true; fi; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bin=$(sh tools/alone.sh sh tools/zig.sh)
PATH=$bin:$PATH
zig=$("$bin/python3" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')

build() {
    rustup target list --installed | grep -qx "$1" || sh tools/alone.sh rustup target add "$1"
    cargo-zigbuild zigbuild --quiet --locked --profile $profile -p grundy-cli --target "$1"
}

# --- The files that all archives share --------------------------------------------------

same=$work/same
mkdir -p "$same/completions" "$same/man"
own=$(uname -m)-unknown-linux-musl
echo "==> $own, which also writes completions and manual pages"
build "$own"
own=$folder/$own/$profile/grundy
for shell in bash zsh fish elvish powershell; do
    "$own" completions "$shell" >"$same/completions/grundy.$shell"
done
"$own" man "$same/man"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE CITATION.cff "$same"

# --- Testing an archive -----------------------------------------------------------------

# tried RUNNER...: runs the program and checks its output. The values are those of the README.
tried() {
    rm -rf "$work/db"
    "$@" build --db "$work/db" --max-pile 8 --length 3 --heap 1000 >/dev/null 2>"$work/said" &&
        "$@" verify --db "$work/db" --full 2>/dev/null | grep -q 'no problems' &&
        "$@" query --db "$work/db" end-nim 3,1,4 | tr -d "\r" | grep -qx 7 &&
        "$@" query --db "$work/db" end-nim 5,4,5,6,7 | tr -d '\r' | grep -qx 9 &&
        "$@" --version | grep -q "commit $GRUNDY_COMMIT" || {
        cat "$work/said" >&2
        stop "$* does not work"
    }
}

# try TARGET PROGRAM: tests the program as far as this machine can, and prints how far.
try() {
    case $1 in
        "$(uname -m)"-unknown-linux-*) tried "$2" && echo "runs" ;;
        aarch64-unknown-linux-musl) emulated qemu-aarch64 "$2" ;;
        aarch64-unknown-linux-gnu) emulated qemu-aarch64 "$2" /usr/aarch64-linux-gnu ;;
        *-windows-*) wine "$2" ;;
        *-apple-*)
            signed=$("$python" tools/dist/signed.py "$2") && echo "not run: $signed; $(kind "$2")"
            ;;
        *) echo "not run: $(kind "$2")" ;;
    esac
}

kind() {
    if have file; then file -b "$1"; else echo "type unknown, because the program 'file' is missing"; fi
}

# emulated EMULATOR PROGRAM [LIBRARIES]
emulated() {
    have "$1" && [ -d "${3:-/}" ] || { echo "not run: $1${3:+ or $3} is missing" && return; }
    tried "$1" ${3:+-L "$3"} "$2" && echo "runs on an emulated processor"
}

wine() {
    [ -x /usr/lib/wine/wine64 ] || { echo "not run: Wine is missing" && return; }
    have x86_64-w64-mingw32-gcc || { echo "not run: the compiler x86_64-w64-mingw32-gcc is missing" && return; }
    sh tools/wine.sh "$1" "$work"
    tried "$work/grundy" && echo "runs under Wine"
}

# --- The archives -----------------------------------------------------------------------

: >"$work/list"
for target in "$@"; do
    echo "==> $target"
    build "$target"
    name=grundy-$version-$target
    stage=$work/$name
    cp -R "$same" "$stage"
    program=grundy
    case $target in *windows*) program=grundy.exe ;; esac
    cp "$folder/$target/$profile/$program" "$stage"
    case $target in *-apple-*) "$python" tools/dist/signed.py "$stage/$program" --name-by-content ;; esac
    "$python" tools/dist/parts.py "$target" "$stage" "$zig"
    if grep -aq -e "$here" -e "$home" "$stage/$program"; then
        stop "$program for $target contains the path of a folder on this machine"
    fi
    case $target in
        *windows*)
            archive=$name.zip
            "$python" tools/dist/zip.py "$stage" "$OUT/$archive" "$GRUNDY_DATE"
            rm -rf "$stage"
            "$python" -m zipfile -e "$OUT/$archive" "$work"
            ;;
        *)
            archive=$name.tar.gz
            tar --sort=name --format=ustar --mtime="@$GRUNDY_DATE" --owner=0 --group=0 \
                --numeric-owner --mode=u=rwX,go=rX -cf - -C "$work" "$name" |
                gzip -9n >"$OUT/$archive"
            rm -rf "$stage"
            tar -xzf "$OUT/$archive" -C "$work"
            ;;
    esac
    # A separate assignment, because a failure inside `echo` would not end the script.
    found=$(try "$target" "$stage/$program")
    echo "$archive, $(wc -c <"$OUT/$archive") bytes: $found" | tee -a "$work/list"
    echo "$archive" >>"$work/names"
    rm -rf "$stage"
done
(cd "$OUT" && sort "$work/names" | xargs sha256sum) >"$OUT/SHA256SUMS"
rm -f "$OUT/SHA256SUMS.minisig"
if [ -n "${KEY:-}" ]; then
    minisign -S -s "$KEY" -m "$OUT/SHA256SUMS" -t "grundy $version, commit $GRUNDY_COMMIT" >/dev/null
    minisign -Vq -m "$OUT/SHA256SUMS" -p "$PUBKEY" || stop "minisign refuses the signature"
fi
echo "dist: the archives are in $OUT"
cat "$work/list"
