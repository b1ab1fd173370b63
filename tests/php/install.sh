#!/usr/bin/env bash
# usage: install.sh WORK_DIR
# Builds and installs the extension with phpize, configure and make install from a copy of the sources, and checks that
# PHP loads it. Prints 'ok - …' or 'not ok - …' per check. The build stays in WORK_DIR and is reused by the next run.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
work=$(realpath "$1")
failures=0

check() {
  local name=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    grep -E -m 10 'error|Error' "$work/output" || tail -n 15 "$work/output"
    failures=$((failures + 1))
    return 1
  fi
}

# Copies the files of a release. Unchanged files keep their modification time, so that the next make rebuilds little.
copy_sources() {
  (cd "$root" && git ls-files -co --exclude-standard -- src include php CMakeLists.txt) >"$work/tracked" 2>/dev/null ||
    (cd "$root" && find src include php CMakeLists.txt -type f) >"$work/tracked"
  mkdir -p "$work/source"
  local file
  while IFS= read -r file; do
    if [ ! -e "$root/$file" ]; then
      rm -f "$work/source/$file"
    elif [ "$root/$file" -nt "$work/source/$file" ]; then
      mkdir -p "$(dirname "$work/source/$file")" && cp -p "$root/$file" "$work/source/$file" || return 1
    fi
  done <"$work/tracked"
  # Remove copies of deleted files.
  (cd "$work/source" && find src include php/src -name '*.[chS]*' ! -name '*.d' ! -name '*.dep' -print | sort) >"$work/copied"
  sort "$work/tracked" | comm -13 - "$work/copied" | (cd "$work/source" && xargs -r rm -f)
}

configure() {
  # No optimization: the check is about building, not about speed.
  phpize && CXX="$compiler" ./configure CFLAGS='-O0 -g0' CXXFLAGS='-O0 -g0'
}

compiler=g++
command -v ccache >/dev/null && compiler='ccache g++'
check 'the sources are copied' copy_sources
cd "$work/source/php" || exit 1
if [ ! -f Makefile ] || [ -n "$(find . -maxdepth 1 -newer Makefile \( -name config.m4 -o -name Makefile.frag \))" ] ||
  [ -n "$(find src ../src -newer Makefile -type d)" ]; then
  check 'phpize and configure' configure || exit 1
fi
check 'make' make -j"$(nproc)" || exit 1
check 'make install' make install INSTALL_ROOT="$work/root" || exit 1

module=$(find "$work/root" -name true_async.so)
php=(php -n -d "extension=$module")
# No pipe into grep -q: it ends at the first match, and php then fails to write the rest.
has_module() { grep -qx true_async <<<"$("${php[@]}" -m)"; }
is_loaded() { [ "$("${php[@]}" -r 'var_dump(extension_loaded("true_async"), extension_loaded("async"));' | tr -d '\n')" = 'bool(true)bool(false)' ]; }
runs_example() { [ "$("${php[@]}" "$root/examples/php/hello.php" | head -n 1)" = "$(head -n 1 "$root/examples/php/expected/hello.txt")" ]; }
exports_only_get_module() { [ "$(nm -D --defined-only "$module" | awk '{print $3}')" = get_module ]; }
has_pdo_pools() { grep -qx 'PDO pools => enabled' <<<"$("${php[@]}" --ri true_async)"; }
check 'php -m lists true_async' has_module
check 'php --ri reports PDO pools' has_pdo_pools
check 'the extension is named true_async and does not claim the name async' is_loaded
check 'examples/php/hello.php prints the expected line' runs_example
check 'get_module is the only exported symbol' exports_only_get_module
exit $((failures > 0))
