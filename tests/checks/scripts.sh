#!/usr/bin/env bash
# usage: scripts.sh BUILD_DIR WORK_DIR
# Tests ./run, ./test and ./bench, mostly with invalid input. Prints 'ok - …' or 'not ok - …' per check.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(realpath "$2")
failures=0

# expect NAME EXIT_CODE TEXT COMMAND...: the command must exit with the code and its output must contain the text.
expect() {
  local name=$1 code=$2 text=$3 output actual
  shift 3
  output=$("$@" 2>&1 </dev/null)
  actual=$?
  if [ "$actual" -eq "$code" ] && grep -qF -- "$text" <<<"$output"; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    echo "expected exit code $code and '$text', got exit code $actual and:"
    tail -n 15 <<<"$output"
    failures=$((failures + 1))
  fi
}

cat >"$work/good program.cpp" <<'CPP'
#include "part.hpp"
#include <cstdio>
#include <trueasync/error.hpp>
int main(int count, char** arguments) {
  try {
    throw trueasync::MisuseError("caught");
  } catch (const trueasync::Error& error) {
    std::printf("%s %s %d\n", error.what(), count > 1 ? arguments[1] : "none", PART);
  }
  return count == 3 ? 5 : 0;
}
CPP
echo '#define PART 1' >"$work/part.hpp"
echo 'int main() { return nonsense; }' >"$work/bad.cpp"
cat >"$work/script.php" <<'PHP'
<?php
echo Async\await(Async\spawn(fn() => 'from PHP: ' . ($argv[1] ?? 'none'))), "\n";
exit(6);
PHP
touch "$work/notes.txt"

cd "$work" || exit 1
expect 'run: runs a file' 0 'caught none 1' "$root/run" 'good program.cpp'
expect 'run: forwards arguments and the exit code' 5 'caught a b 1' "$root/run" 'good program.cpp' 'a b' c
echo '#define PART 2' >"$work/part.hpp"
expect 'run: recompiles after a header changed' 0 'caught none 2' "$root/run" 'good program.cpp'
expect 'run: rejects a missing file' 2 'no such file' "$root/run" nowhere.cpp
expect 'run: rejects an unknown file type' 2 'not a .cpp or .php file' "$root/run" notes.txt
expect 'run: rejects a missing script' 2 'no such file' "$root/run" nowhere.php
expect 'run: forwards arguments and the exit code of a script' 6 'from PHP: a b' "$root/run" script.php 'a b'
expect 'run: reports a compile error' 1 'does not compile' "$root/run" bad.cpp
expect 'run: rejects an unknown option' 2 'unknown option --fast' "$root/run" --fast
expect 'run: prints help' 0 'usage: ./run' "$root/run" --help
expect 'run: links the libraries for TLS and a parser' 0 'answered while draining: 200' "$root/run" "$root/examples/http_server.cpp"
expect 'test: prints help' 0 'usage: ./test' "$root/test" --help
expect 'test: reports a filter without match' 2 "'no-such-name'" "$root/test" no-such-name
expect 'test: rejects an unknown option' 2 'unknown option --fast' "$root/test" --fast
expect 'test: runs one check' 0 '1 passed, 0 failed' "$root/test" layers/tree
if [ -x "$root/bench" ]; then
  expect 'bench: prints help' 0 'usage: ./bench' "$root/bench" --help
fi
exit $((failures > 0))
