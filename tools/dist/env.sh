# Scripts that compile for other systems source this file in the root of the repository. With it the
# same commit makes the same programs in any folder, and `make foreign` and `make dist` share compiled
# parts because their flags are equal. cargo writes to $folder, which the caller sets. Sets $home and
# $here to folders whose names no program may contain.
# shellcheck shell=sh

# Without git the two variables keep their values; if they are unset, the program shows "unknown".
if commit=$(git rev-parse HEAD 2>/dev/null); then
    GRUNDY_COMMIT=$commit
    GRUNDY_DATE=$(git log -1 --format=%ct)
    if [ -n "$(git status --porcelain)" ]; then GRUNDY_COMMIT=$commit-changed; fi
    export GRUNDY_COMMIT GRUNDY_DATE
fi

# Every crate is compiled only once, so incremental compilation would not help.
export CARGO_INCREMENTAL=0
RUSTFLAGS=
TARGET_CFLAGS=

# map FOLDER NAME: makes the compilers write NAME instead of FOLDER. They use the last match, so map a
# folder after the folders that contain it. Flags cannot contain a folder with a space, so skip it.
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
