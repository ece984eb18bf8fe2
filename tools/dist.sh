#!/bin/sh
# Makes archives of the program, for people who only want to run it.
#
#   OUT=dist sh tools/dist.sh [TARGET...]
#
# Without names: for Linux (static, and on ARM also for glibc), Windows and macOS, the targets
# below. Each archive has the program, the README and the change log, both licences and those of
# what is compiled in, completions, manual pages, and a list of parts (SBOM, CycloneDX). SHA256SUMS
# has their digests, and with KEY, a secret key of minisign, a signature.
#
# The same commit makes the same bytes, wherever the folder lies: paths are mapped away, and dates
# are the commit's. So it wants a folder without changes; CHANGES=allowed leaves that to you, and
# names the archives so. FULL=no leaves out the licences of parts and the list of parts, whose
# programs take minutes to compile; DIST_PROFILE names another profile than `dist`.
#
# What can be tried of an archive here is tried: it builds, verifies and asks, on this processor,
# an emulated one, or Wine. Needs rustup, and installs the rest: zig by pip, the others by cargo, in
# folders of their own.
set -eu
cd "$(dirname "$0")/.."

ALL="x86_64-unknown-linux-musl aarch64-unknown-linux-musl aarch64-unknown-linux-gnu
x86_64-pc-windows-gnu x86_64-apple-darwin aarch64-apple-darwin"

cargo=${CARGO:-cargo}
folder=${CARGO_TARGET_DIR:-target}
python=${PYTHON:-python3}
profile=${DIST_PROFILE:-dist}
# Pinned, so that the same commit makes the same bytes.
about=0.9.0
cyclonedx=0.5.9

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
have rustup || stop "there is no rustup, which installs the libraries of other systems"
tar --version 2>/dev/null | grep -q GNU || stop "this needs GNU tar, whose archives can be made alike"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
GRUNDY_COMMIT=$(git rev-parse HEAD)
GRUNDY_DATE=$(git log -1 --format=%ct)
export GRUNDY_COMMIT GRUNDY_DATE SOURCE_DATE_EPOCH="$GRUNDY_DATE"
if [ -n "$(git status --porcelain)" ]; then
    [ "${CHANGES:-}" = allowed ] || stop "there are changes that are in no commit (git status)"
    version=$version-changed
    GRUNDY_COMMIT=$GRUNDY_COMMIT-changed
fi

mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
work=$(mktemp -d)
trap 'if [ -d "$work/wine" ]; then WINEPREFIX="$work/wine" /usr/lib/wine/wineserver64 -k || true; fi; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- The tools ------------------------------------------------------------------------

PATH=$(sh tools/zig.sh):$PATH

if [ "${FULL:-yes}" = yes ]; then
    tools=$folder/dist-tools
    for tool in cargo-about@$about cargo-cyclonedx@$cyclonedx; do
        if ! grep -qs "\"${tool%@*} ${tool#*@} " "$tools/.crates2.json"; then
            echo "==> installing $tool (minutes, once)"
            "$cargo" install --quiet --locked --root "$tools" "$tool"
        fi
    done
    PATH=$(cd "$tools" && pwd)/bin:$PATH
fi

# --- What is the same in all archives ---------------------------------------------------

same=$work/same
mkdir -p "$same/completions" "$same/man"
echo "==> completions and manual pages"
"$cargo" build --quiet --locked -p grundy-cli
own=$folder/debug/grundy
for shell in bash zsh fish elvish powershell; do
    "$own" completions "$shell" >"$same/completions/grundy.$shell"
done
"$own" man "$same/man"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE CITATION.cff "$same"

# Of files of other people, too, no path of this machine.
home=$(cd "${CARGO_HOME:-$HOME/.cargo}" && pwd)
here=$(pwd)
sysroot=$(rustc --print sysroot)
built=$(mkdir -p "$folder" && cd "$folder" && pwd)
maps="$home=/cargo $built=/target $here=/grundy $sysroot=/rust"
rust_maps=
c_maps=
for map in $maps; do
    rust_maps="$rust_maps --remap-path-prefix=$map"
    c_maps="$c_maps -ffile-prefix-map=$map"
done

# --- Trying one -------------------------------------------------------------------------

# tried RUNNER...: what the program says where it runs. The values are those of the README.
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

# try TARGET PROGRAM: tries it as far as that can be done here, and says how far.
try() {
    case $1 in
        "$(uname -m)"-unknown-linux-*) tried "$2" && echo "runs" ;;
        aarch64-unknown-linux-musl) emulated qemu-aarch64 "$2" ;;
        aarch64-unknown-linux-gnu) emulated qemu-aarch64 "$2" /usr/aarch64-linux-gnu ;;
        *-windows-*) wine "$2" ;;
        *) file -b "$2" ;;
    esac
}

# emulated EMULATOR PROGRAM [LIBRARIES]
emulated() {
    have "$1" && [ -d "${3:-/}" ] || { echo "not run: there is no $1${3:+, or no $3}" && return; }
    tried "$1" ${3:+-L "$3"} "$2" && echo "runs on an emulated processor"
}

wine() {
    [ -x /usr/lib/wine/wine64 ] || { echo "not run: there is no Wine" && return; }
    have x86_64-w64-mingw32-gcc || { echo "not run: Wine wants a library, and nothing compiles it" && return; }
    sh tools/wine.sh "$1" "$work"
    tried "$work/grundy" && echo "runs under Wine"
}

# --- The archives -----------------------------------------------------------------------

: >"$work/list"
for target in "$@"; do
    echo "==> $target"
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    # Names of variables have no hyphens.
    c_target=$(echo "$target" | tr - _)
    env "CFLAGS_$c_target=$c_maps" CARGO_INCREMENTAL=0 RUSTFLAGS="$rust_maps" \
        cargo-zigbuild zigbuild --quiet --locked --profile "$profile" -p grundy-cli --target "$target"
    name=grundy-$version-$target
    stage=$work/$name
    cp -R "$same" "$stage"
    program=grundy
    case $target in *windows*) program=grundy.exe ;; esac
    cp "$folder/$target/$profile/$program" "$stage"
    if [ "${FULL:-yes}" = yes ]; then
        cargo-about generate --locked --offline --fail --target "$target" \
            --manifest-path tools/grundy/Cargo.toml -c tools/dist/about.toml \
            tools/dist/licences.hbs >"$stage/LICENCES-OF-PARTS.md"
        cargo-cyclonedx cyclonedx --quiet --format json --target "$target" \
            --override-filename "sbom-$target" --manifest-path tools/grundy/Cargo.toml
        # It names this folder, and one for each crate.
        sed "s|$here|/grundy|g" "tools/grundy/sbom-$target.json" >"$stage/sbom.cdx.json"
        git clean -qf -- "*/sbom-$target.json"
    fi
    if grep -aq -e "$here" -e "$home" "$stage/$program"; then
        stop "$program for $target names a folder of this machine"
    fi
    case $target in
        *windows*)
            archive=$name.zip
            "$python" tools/dist/zip.py "$stage" "$OUT/$archive" "$GRUNDY_DATE"
            ;;
        *)
            archive=$name.tar.gz
            tar --sort=name --format=ustar --mtime="@$GRUNDY_DATE" --owner=0 --group=0 \
                --numeric-owner --mode=u=rwX,go=rX -cf - -C "$work" "$name" |
                gzip -9n >"$OUT/$archive"
            ;;
    esac
    printf '%s %s %s: %s\n' "$archive" "$(wc -c <"$OUT/$archive")" bytes \
        "$(try "$target" "$stage/$program")" | tee -a "$work/list"
    echo "$archive" >>"$work/names"
    rm -rf "$stage"
done
(cd "$OUT" && sort "$work/names" | xargs sha256sum) >"$OUT/SHA256SUMS"
if [ -n "${KEY:-}" ]; then
    have minisign || stop "there is no minisign, which signs"
    rm -f "$OUT/SHA256SUMS.minisig"
    minisign -S -s "$KEY" -m "$OUT/SHA256SUMS" -t "grundy $version" >/dev/null
fi
echo "dist: in $OUT"
cat "$work/list"
