#!/bin/sh
# Checks other systems with the compiler, and other processors with an emulator. The emulated program
# runs the same tests and makes the same tables.
#
#   sh tools/foreign.sh [oldest] [windows] [wine] [mac] [musl] [arm] [old] [big-endian]
#
# Without names, it checks all of them. It installs Rust's targets with rustup, Debian's packages as
# root, and zig, the C compiler and linker for all other systems, in .venv-foreign. If a tool is
# missing, it prints this and skips the part; with CI=true it fails.
set -eu
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
folder=${CARGO_TARGET_DIR:-target}
# The profile for programs that an emulator runs: see Cargo.toml.
profile=foreign
# A program that does not run needs no optimised C code.
check='--config profile.foreign.package.zstd-sys.opt-level=0'
left_out=

. tools/dist/env.sh
work=$(mktemp -d)
trap 'if [ -d "$work/wine" ]; then WINEPREFIX="$work/wine" /usr/lib/wine/wineserver64 -k || true; fi; rm -rf "$work"' EXIT

say() {
    echo "==> foreign: $*"
}

# without THING, in an `if` or after `||`: prints that a part is skipped, or fails.
without() {
    echo "foreign: cannot find $1; $part is skipped" >&2
    if [ "${CI:-}" = true ]; then exit 1; fi
    left_out="$left_out $part"
    return 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# target NAME: installs Rust's libraries for a target.
target() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$1" ] && return
    have rustup || { without "target $1, or rustup to install it"; return; }
    echo "foreign: installing the target $1" >&2
    sh tools/alone.sh rustup target add "$1" || without "or install target $1"
}

# program NAME PACKAGES: installs a program, or a file, from Debian's packages.
program() {
    have "$1" || [ -e "$1" ] && return
    if [ "$(id -u)" = 0 ] && have apt-get; then
        echo "foreign: $1 is missing; installing $2" >&2
        sh tools/alone.sh apt-get update -q -o DPkg::Lock::Timeout=600 >&2
        # shellcheck disable=SC2086 # several packages
        sh tools/alone.sh env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends $2 >&2 && return
    fi
    without "$1 (Debian's packages: $2)"
}

zig() {
    bin=$(sh tools/alone.sh sh tools/zig.sh) || { without "or install zig"; return; }
    case $PATH in "$bin:"*) ;; *) PATH=$bin:$PATH ;; esac
}

# build TARGET: compiles the program.
build() {
    cargo-zigbuild zigbuild --quiet --profile $profile --target "$1" -p grundy-cli
}

# emulated TARGET EMULATOR...: writes a script that runs the program, and prints its name.
emulated() {
    at=$folder/$1/$profile
    shift
    mkdir -p "$at"
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$*" "$(realpath "$at/grundy")" >"$at/emulated"
    chmod +x "$at/emulated"
    echo "$at/emulated"
}

# refuses PROGRAM ISA SENTENCE: checks that the program refuses a missing instruction set.
refuses() {
    "$1" query --isa "$2" nim 3 >"$work/said" 2>&1 && code=0 || code=$?
    if [ $code != 2 ] || ! grep "$3" "$work/said"; then
        echo "foreign: the program did not refuse --isa $2 with the expected message; it printed:" >&2
        cat "$work/said" >&2
        exit 1
    fi
}

# --- The parts ------------------------------------------------------------------------

oldest() {
    needed=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' Cargo.toml)
    have rustup || { without "rustup to install Rust $needed"; return 0; }
    if ! rustup run "$needed" rustc --version >/dev/null 2>&1; then
        echo "foreign: installing Rust $needed" >&2
        sh tools/alone.sh rustup toolchain install "$needed" --profile minimal --no-self-update ||
            { without "or install Rust $needed"; return 0; }
    fi
    say "compiling with Rust $needed, the oldest supported version"
    # shellcheck disable=SC2086 # an option and its value
    rustup run "$needed" cargo check --quiet $check --profile $profile --workspace \
        --exclude grundy-benches --exclude grundy-fuzz
}

windows() {
    target x86_64-pc-windows-gnu && program x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 || return 0
    say "checking all code and tests for Windows with clippy"
    "$cargo" clippy --quiet --profile $profile --workspace --all-targets \
        --target x86_64-pc-windows-gnu -- -D warnings
}

# Compiles the program for Windows. Under Wine kills and resumes a build, and looks up values.
wine() {
    target x86_64-pc-windows-gnu && program x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 &&
        program /usr/lib/wine/wine64 wine64 || return 0
    "$cargo" build --quiet --profile $profile --target x86_64-pc-windows-gnu -p grundy-cli
    say "under Wine: killing a build, resuming it, verifying the tables and looking up values"
    sh tools/wine.sh "$folder/x86_64-pc-windows-gnu/$profile/grundy.exe" "$work"
    "$work/grundy" query end-nim 5,4,5,6,7 | tr -d '\r' | grep -qx 9
    set -- --db "$work/db" --max-pile 64 --length 5 --threads 1 --games end-nim
    "$work/grundy" build "$@" >"$work/built" &
    first=$!
    while [ ! -e "$work/db/end-nim/n64/k5/end-nim-n64-k5-00000.zst" ] && kill -0 $first; do
        sleep 0.1
    done 2>"$work/over"
    kill -9 $first 2>"$work/over" || true
    wait $first 2>"$work/over" || true
    "$work/grundy" build "$@"
    "$work/grundy" verify --db "$work/db" --against db/expected/digests.json |
        grep '5 digests as expected; no problems'
    "$work/grundy" query --db "$work/db" --json end-nim 5,4,5,6,7 |
        grep -q '"grundy":9,.*"source":"table"'
}

mac() {
    target aarch64-apple-darwin && target x86_64-apple-darwin && zig || return 0
    say "compiling for macOS on both processors"
    # The tests do not depend on the system, so check only the crates.
    for mac in aarch64-apple-darwin x86_64-apple-darwin; do
        # shellcheck disable=SC2086 # an option and its value
        cargo-zigbuild check --quiet $check --profile $profile --workspace \
            --exclude grundy-benches --exclude grundy-fuzz --target $mac
    done
}

musl() {
    target x86_64-unknown-linux-musl && zig || return 0
    say "building a static program for Linux"
    build x86_64-unknown-linux-musl
    # A static program names no loader.
    if LC_ALL=C grep -q 'ld-musl\|ld-linux' "$folder/x86_64-unknown-linux-musl/$profile/grundy"; then
        echo "foreign: the program for x86_64-unknown-linux-musl is not static" >&2
        exit 1
    fi
    "$folder/x86_64-unknown-linux-musl/$profile/grundy" query end-nim 5,4,5,6,7 | grep -qx 9
}

arm() {
    arm=aarch64-unknown-linux-musl
    target $arm && zig && program qemu-aarch64 qemu-user || return 0
    say "building for ARM"
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER=qemu-aarch64
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER
    build $arm
    # Only kernels and shard have tests of these names. The program's package is chosen too; otherwise
    # the crates would be compiled again with other features.
    set -- test --quiet --profile $profile --target $arm \
        -p grundy-kernels -p grundy-shard -p grundy-cli --lib --test suite
    cargo-zigbuild "$@" --no-run
    say "running the tests of kernels and shard on an emulated ARM processor"
    cargo-zigbuild "$@"
    say "comparing small tables made by NEON with db/expected"
    ISAS=neon PROGRAM=$(emulated $arm qemu-aarch64) sh tools/db-small.sh
}

old() {
    old=x86_64-unknown-linux-musl
    target $old && zig && program qemu-x86_64 qemu-user || return 0
    build $old
    say "testing emulated processors without AVX, and with AVX2 but without AVX-512"
    nehalem=$(emulated $old qemu-x86_64 -cpu Nehalem)
    ISAS='portable avx2 avx512 neon' PROGRAM=$nehalem sh tools/db-small.sh
    # Check which instruction set the program chooses here, and its errors about the others.
    "$nehalem" query end-nim 5,4,5,6,7 | grep -qx 9
    refuses "$nehalem" avx2 'it has portable;'
    haswell=$(emulated $old qemu-x86_64 -cpu Haswell)
    "$haswell" query --isa avx2 end-nim 5,4,5,6,7 | grep -qx 9
    refuses "$haswell" avx512 'it has portable and avx2;'
}

big_endian() {
    big=s390x-unknown-linux-gnu
    target $big && zig && program qemu-s390x qemu-user &&
        program /usr/s390x-linux-gnu/lib/ld64.so.1 libc6-s390x-cross || return 0
    say "comparing small tables made by an emulated big-endian processor with db/expected"
    build $big
    ISAS=portable PROGRAM=$(emulated $big qemu-s390x -L /usr/s390x-linux-gnu) sh tools/db-small.sh
}

case $# in 0) set -- oldest windows wine mac musl arm old big-endian ;; esac
for part in "$@"; do
    case $part in
        oldest | windows | wine | mac | musl | arm | old) $part ;;
        big-endian) big_endian ;;
        *) echo "foreign: unknown part '$part'; the parts are: oldest windows wine mac musl arm old big-endian" >&2 && exit 2 ;;
    esac
done
if [ -n "$left_out" ]; then echo "foreign: skipped parts:$left_out" >&2; fi
