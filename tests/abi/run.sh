#!/usr/bin/env bash
# usage: run.sh BUILD_DIR WORK_DIR [--update]
# Checks the ABI of the C API: the layout of its types, its exported symbols, and that a core and an extension build without
# the library. Prints 'ok - …' or 'not ok - …' per check. --update writes the current layout to layout.txt; this is correct
# only after members were renamed, or after members were added at the end and the minor version was raised.
set -uo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(realpath "$2")
warnings=(-Wall -Wextra -Wpedantic -pedantic-errors -Wshadow -Werror -I"$root/include")
failures=0

check() {
  local name=$1
  shift
  if "$@"; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    failures=$((failures + 1))
  fi
}

# Prints every struct with the offset, size and type of its members, every function type and every constant.
layout() {
  local headers=("$root"/include/trueasync.h "$root"/include/trueasync/c/*.h) name commands=()
  echo '#include <trueasync.h>' |
    gcc -std=c11 -g -fno-eliminate-unused-debug-types -I"$root/include" -x c -c -o "$work/layout.o" - || return 1
  for name in $(sed -n 's/^typedef struct \(ta_[a-z_]*\) {$/\1/p' "${headers[@]}"); do
    commands+=(-ex "echo \\n" -ex "ptype /o struct $name")
  done
  for name in $(sed -n 's/^typedef [a-z_]* (\*\(ta_[a-z_]*\))(.*/\1/p' "${headers[@]}"); do
    commands+=(-ex "echo $name:\\ " -ex "ptype $name")
  done
  for name in $(grep -ohE '\bTA_[A-Z0-9_]+ = [0-9]+' "${headers[@]}" | sed 's/ =.*//'); do
    commands+=(-ex "printf \"$name = %d\\n\", (int)$name")
  done
  gdb -nx -batch "${commands[@]}" "$work/layout.o"
}

layout_is_unchanged() {
  layout >"$work/layout.txt" 2>"$work/layout.log" || { cat "$work/layout.log"; return 1; }
  grep -q 'struct ta_pool_table {' "$work/layout.txt" && diff "$here/layout.txt" "$work/layout.txt"
}

exported() {
  nm -D --defined-only "$build/libtrueasync.so" | awk '$2 ~ /^[A-Z]$/ { print $3 }' | grep '^ta_' | sort
}

exports_two_functions() {
  diff <(printf 'ta_get_api\nta_register\n') <(exported)
}

compiles_as() {
  printf '#include <trueasync.h>\n#include <trueasync.h>\n' | "$@" "${warnings[@]}" -fsyntax-only -
}

# An extension must not need a symbol of the library.
build_extension() {
  gcc -std=c11 "${warnings[@]}" -shared -fPIC -Wl,-z,defs -o "$work/extension.so" "$root/tests/unit/capi/extension/extension.c" &&
    ! nm -D --undefined-only "$work/extension.so" | grep ' ta_'
}

build_core() {
  gcc -std=c11 "${warnings[@]}" -D_POSIX_C_SOURCE=200809L -rdynamic -o "$work/core" "$here/core.c" &&
    ! grep -q 'NEEDED.*trueasync' <<<"$(readelf -d "$work/core")"
}

if [ "${3-}" = --update ]; then
  layout >"$here/layout.txt"
  exit
fi
for compiler in gcc clang; do
  check "the header compiles as C11 with $compiler" compiles_as $compiler -std=c11 -x c
done
for compiler in g++ clang++; do
  check "the header compiles as C++20 with $compiler" compiles_as $compiler -std=c++20 -x c++
done
check 'structs, tables and constants are unchanged' layout_is_unchanged
check 'the shared library exports two C functions' exports_two_functions
check 'an extension builds without the library' build_extension
check 'a core builds without the library' build_core
check 'a core gets the tables when the library is loaded' "$work/core" "$build/libtrueasync.so" "$work/extension.so"
exit $((failures > 0))
