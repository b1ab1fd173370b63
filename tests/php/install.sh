#!/usr/bin/env bash
# usage: install.sh WORK_DIR
# The extension is built and installed the PHP way – phpize, configure, make install – from a copy of the sources, and
# found by PHP. Prints 'ok - …' or 'not ok - …' per check. What was built stays in WORK_DIR, for the next time.
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

# What a release would have; unchanged files keep their time, so that make builds little the next time.
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
  # Files that are gone.
  (cd "$work/source" && find src include php/src -name '*.[chS]*' ! -name '*.d' ! -name '*.dep' -print | sort) >"$work/copied"
  sort "$work/tracked" | comm -13 - "$work/copied" | (cd "$work/source" && xargs -r rm -f)
}

configure() {
  # No optimisation: the check is about building, not about speed.
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
says_hello() { [ "$("${php[@]}" "$root/examples/php/hello.php" | head -n 1)" = "$(head -n 1 "$root/examples/php/expected/hello.txt")" ]; }
exports_little() { [ "$(nm -D --defined-only "$module" | awk '{print $3}')" = get_module ]; }
has_pdo_pools() { grep -qx 'PDO pools => enabled' <<<"$("${php[@]}" --ri true_async)"; }
check 'php -m shows it' has_module
check 'php --ri reports PDO pools' has_pdo_pools
check 'it is called true_async and does not claim async' is_loaded
check 'hello says hello' says_hello
check 'it exports nothing but get_module' exports_little
exit $((failures > 0))
