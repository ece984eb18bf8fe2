#!/bin/sh
# Writes FOLDER/grundy, a script that runs a program for Windows under Wine. Wine keeps its own system
# in FOLDER/wine: `sh tools/wine.sh PROGRAM.exe FOLDER`. Needs Debian's wine64 and
# gcc-mingw-w64-x86-64. The caller ends that system with /usr/lib/wine/wineserver64 -k.
set -eu
cp "$1" "$2/grundy.exe"
# Rust needs one function of this library, which older versions of Wine lack.
cat >"$2/random.c" <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return RtlGenRandom(data, (ULONG)size);
}
C
x86_64-w64-mingw32-gcc -shared -O1 -o "$2/bcryptprimitives.dll" "$2/random.c" -ladvapi32
printf '#!/bin/sh\nexport WINEPREFIX="%s" WINEDEBUG=-all\nexec /usr/lib/wine/wine64 "%s" "$@" 2>"%s"\n' \
    "$2/wine" "$2/grundy.exe" "$2/said" >"$2/grundy"
chmod +x "$2/grundy"
