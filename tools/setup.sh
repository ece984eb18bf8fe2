#!/bin/sh
# Finds the tools that the named parts of the Makefile need. If a tool is missing, the script prints
# what to install. As root on a Debian-like system it installs the package and prints its name.
#
#   sh tools/setup.sh [compiler] [c++] [coq] [lint] [python]
#
# Prints nothing if nothing is missing.
set -eu
cd "$(dirname "$0")/.."

stop() {
    printf '%s\n' "$@" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# install PACKAGE NAME: installs a Debian package, or says how to get it.
install() {
    if [ "$(id -u)" = 0 ] && have apt-get; then
        echo "setup: $2 is missing; installing the package $1" >&2
        apt-get update -q >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$1" >&2
    else
        stop "$2 is missing; this step needs it. Install it and try again:" \
            "  Debian, Ubuntu   sudo apt-get install $1" \
            "  other systems    install a package of your system (macOS: xcode-select --install)"
    fi
}

rust() {
    have cargo || stop \
        "cargo is missing; it compiles the program. Install Rust from https://rustup.rs" \
        "and open a new terminal, or add its programs to this one: . \"\$HOME/.cargo/env\""
    needed=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' Cargo.toml)
    found=$(rustc --version | cut -d' ' -f2)
    oldest=$(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -n 1)
    [ "$oldest" = "$needed" ] || stop \
        "This is Rust $found; the program needs $needed or later. With rustup: rustup update"
}

compiler() {
    rust
    # The compression library is written in C.
    [ -n "${CC:-}" ] || have cc || have gcc || have clang || install build-essential "C compiler"
}

lint() {
    if ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
        stop "rustfmt or clippy is missing. With rustup: rustup component add rustfmt clippy"
    fi
}

python() {
    python=${PYTHON:-python3}
    have "$python" || install python3-venv "Python 3"
    # Debian has the module `venv` in a separate package.
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install python3-venv "Python module venv"
}

coq() {
    have coqc || install coq "proof assistant Coq (coqc)"
    have ocamlopt || install ocaml "compiler of OCaml (ocamlopt)"
    ocamlfind query zarith >/dev/null 2>&1 || install libzarith-ocaml-dev "library Zarith of OCaml"
}

for need in "$@"; do
    case $need in
        compiler) compiler ;;
        c++) have c++ || have g++ || have clang++ || install build-essential "C++ compiler" ;;
        coq) coq ;;
        lint) lint ;;
        python) python ;;
        *) stop "setup: unknown tool '$need'" ;;
    esac
done
