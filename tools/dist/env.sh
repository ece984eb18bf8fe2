# Sourced in the root of the repository, by what compiles for other systems: the same commit shall
# make the same programs wherever this folder lies, and what `make foreign` has compiled shall serve
# `make dist`, and the other way round, for which the flags have to be the same. Wants $folder, where
# cargo writes; leaves the folders that no program may name in $home and $here.
# shellcheck shell=sh

# Of a source package, without git, the program says "unknown", or what these two say already.
if commit=$(git rev-parse HEAD 2>/dev/null); then
    GRUNDY_COMMIT=$commit
    GRUNDY_DATE=$(git log -1 --format=%ct)
    if [ -n "$(git status --porcelain)" ]; then GRUNDY_COMMIT=$commit-changed; fi
    export GRUNDY_COMMIT GRUNDY_DATE
fi

# Each is compiled once: no need for what makes the second time fast.
export CARGO_INCREMENTAL=0
RUSTFLAGS=
TARGET_CFLAGS=

# map FOLDER NAME: what the compilers write instead of it. They take the last that fits, so that what
# may lie within another comes after it. A name with a space cannot be told them.
map() {
    case $1 in *' '*) return ;; esac
    RUSTFLAGS="$RUSTFLAGS --remap-path-prefix=$1=$2"
    TARGET_CFLAGS="$TARGET_CFLAGS -ffile-prefix-map=$1=$2"
}

here=$(pwd)
home=$(realpath "${CARGO_HOME:-$HOME/.cargo}")
mkdir -p "$folder"
map "$here" /grundy
map "$(realpath "$folder")" /target
map "$home" /cargo
map "$(rustc --print sysroot)" /rust
export RUSTFLAGS TARGET_CFLAGS
