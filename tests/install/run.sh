#!/usr/bin/env bash
# usage: run.sh BUILD_DIR WORK_DIR
# Installs BUILD_DIR, moves the tree, and builds consumer.cpp and consumer.c with it in every supported way.
# Prints 'ok - …' or 'not ok - …' per check.
set -uo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(realpath "$2")
prefix=$work/moved
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

install_and_move() {
  cmake --install "$build" --prefix "$work/installed" >"$work/install.log" 2>&1 || { cat "$work/install.log"; return 1; }
  mv "$work/installed" "$prefix"
}

prints_42() {
  [ "$("$@")" = 42 ]
}

has_all_headers() {
  diff <(cd "$here/../../include" && find . -type f | sort) <(cd "$prefix/include" && find . -type f | sort)
}

# All exported symbols are in namespace trueasync or belong to the C API.
exports_only_own_names() {
  local other_names
  other_names=$(nm -D --defined-only "$prefix"/lib*/libtrueasync.so "$prefix"/lib*/*/libtrueasync.so 2>/dev/null |
    awk '$2 ~ /^[TDBR]$/ { print $3 }' | c++filt | grep -vE '(^|for |to )trueasync::|^trueasync_|^ta_')
  [ -z "$other_names" ] || { echo "$other_names"; return 1; }
}

contains_no_build_path() {
  ! grep -rIl --include='*.cmake' --include='*.pc' -e "$build" -e "$work/installed" "$prefix"
}

build_with_cmake() {
  cmake -S "$here" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" 2>&1 &&
    ninja -C "$work/cmake" >>"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; return 1; }
}

is_linked_shared() {
  grep -q 'NEEDED.*libtrueasync' <<<"$(readelf -d "$1")"
}

build_with_pkg_config() {
  local package=$1 output=$2 flags
  read -r -a flags <<<"$(pkg-config --cflags --libs "$package")"
  g++ -std=c++20 "$here/consumer.cpp" -o "$output" "${flags[@]}" -Wl,-rpath,"$(pkg-config --variable=libdir "$package")" &&
    gcc -std=c11 "$here/consumer.c" -o "$output-c" "${flags[@]}" -Wl,-rpath,"$(pkg-config --variable=libdir "$package")"
}

check 'the tree installs' install_and_move
[ $failures -eq 0 ] || exit 1
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name trueasync.pc)")
export PKG_CONFIG_PATH
check 'all public headers are installed' has_all_headers
check 'the shared library exports only its own names' exports_only_own_names
check 'no installed file contains the build directory' contains_no_build_path
if compgen -G "$here/../../tools/gdb/*.py" >/dev/null; then
  check 'the gdb commands are installed' compgen -G "$prefix/share/trueasync/gdb/*.py"
fi

check 'find_package builds the consumer' build_with_cmake
for kind in static shared trueasync; do
  check "find_package: trueasync::$kind runs" prints_42 "$work/cmake/consumer_$kind"
  check "find_package: trueasync::$kind runs from C" prints_42 "$work/cmake/c_consumer_$kind"
done
check 'find_package: trueasync::shared is the shared library' is_linked_shared "$work/cmake/consumer_shared"
check 'find_package: trueasync::trueasync is static by default' eval '! is_linked_shared "$work/cmake/consumer_trueasync"'

check 'pkg-config: has a version' eval '[ -n "$(pkg-config --modversion trueasync)" ]'
for package in trueasync trueasync-static; do
  check "pkg-config: $package builds" build_with_pkg_config $package "$work/$package"
  check "pkg-config: $package runs" prints_42 "$work/$package"
  check "pkg-config: $package runs from C" prints_42 "$work/$package-c"
done
check 'pkg-config: trueasync is the shared library' is_linked_shared "$work/trueasync"
check 'pkg-config: trueasync-static is the static library' eval '! is_linked_shared "$work/trueasync-static"'
exit $((failures > 0))
