#!/bin/sh
# Counts the instructions that the kernels execute for a cell: with NEON on an emulated ARM
# processor, with AVX2 on an emulated x86-64, and with portable code on both processors. An emulator
# counts instructions of processors that are not available, but cannot measure their time.
#
#   sh tools/instructions.sh
#
# Needs the programs that `tools/foreign.sh musl arm` installs, and a C compiler for a counter, a
# plugin of the emulator.
set -eu
cd "$(dirname "$0")/.."

folder=${CARGO_TARGET_DIR:-target}
PATH=$PWD/.venv-foreign/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The required part of the plugin interface, because no package contains its header.
cat >"$work/count.c" <<'C'
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
typedef uint64_t id;
struct block;
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(id, void (*)(id, struct block *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct block *, int add, void *, uint64_t);
extern void qemu_plugin_register_atexit_cb(id, void (*)(id, void *), void *);
int qemu_plugin_version = 1;
static uint64_t count;
static void seen(id plugin, struct block *block) {
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &count, qemu_plugin_tb_n_insns(block));
}
static void done(id plugin, void *data) { fprintf(stderr, "%" PRIu64 "\n", count); }
int qemu_plugin_install(id plugin, const void *info, int argc, char **argv) {
    qemu_plugin_register_vcpu_tb_trans_cb(plugin, seen);
    qemu_plugin_register_atexit_cb(plugin, done, NULL);
    return 0;
}
C
cc -shared -fPIC -O1 -o "$work/count.so" "$work/count.c"

for target in x86_64-unknown-linux-musl aarch64-unknown-linux-musl; do
    cargo-zigbuild zigbuild --quiet --release --target $target -p grundy-kernels --example work
done

# count ROUNDS WORK N ISA: prints the instructions of the rounds; the cells of one round go to a file.
count() {
    case $4 in
        *-arm) set -- "$1" "$2" "$3" "${4%-arm}" aarch64 aarch64 ;;
        *) set -- "$1" "$2" "$3" "$4" x86_64 "x86_64 -cpu Haswell" ;;
    esac
    # shellcheck disable=SC2086 # the processor is an argument of its own
    qemu-$6 -plugin "$work/count.so" "$folder/$5-unknown-linux-musl/release/examples/work" \
        "$2" "$3" "$4" "$1" 2>&1 >"$work/cells" | tail -n 1
}

printf '%-12s %12s %12s %12s %12s\n' 'cells of' portable avx2 'portable-arm' 'neon-arm'
while read -r what n rounds; do
    printf '%-12s' "$what $n"
    for isa in portable avx2 portable-arm neon-arm; do
        few=$(count 1 "$what" "$n" $isa)
        many=$(count $((rounds + 1)) "$what" "$n" $isa)
        awk "BEGIN { printf \" %12.3f\", ($many - $few) / $rounds / $(cat "$work/cells") }"
    done
    echo
done <<END
tile 16 20
tile 32 20
tile 64 20
tile 127 4
tile 128 4
tile 192 2
tile 255 2
tally 64 20
mask 64 100
mask 100 100
mask 255 20
edge 64 200
sets 20 4
END
