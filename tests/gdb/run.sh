#!/usr/bin/env bash
# usage: run.sh BUILD_DIR WORK_DIR
# Debugs program.cpp, built against the libraries of BUILD_DIR, with tools/gdb: live, and from core files.
# Prints 'ok - …', 'not ok - …' or 'skip - …' per check.
set -uo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../..")
helper=$root/tools/gdb/trueasync.py
rm -rf "$2"
mkdir -p "$2"
work=$(realpath "$2")
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

compile() {
  local output=$1
  shift
  g++ -std=c++20 -O1 -g -Wall -Wextra -I"$root/include" "$here/program.cpp" -o "$output" "$@" -luv -pthread
}

# gdb_says FILE ARGUMENT...: what gdb prints goes to FILE.
gdb_says() {
  local file=$1
  shift
  timeout 60 gdb -nx -batch -iex 'set debuginfod enabled off' -ex 'set width 0' -x "$helper" "$@" \
    >"$file" 2>&1 </dev/null
}

stopped=(-ex 'set confirm off' -ex 'break everything_is_in_place' -ex run)
questions=(-ex 'ta coroutines' -ex 'ta bt all' -ex 'ta bt sleeper' -ex 'ta bt 2.2' -ex 'ta enter reader' -ex 'info args'
  -ex 'up' -ex 'ta leave' -ex 'thread apply all bt')

# says FILE REGEX...: each matches a line, in this order.
says() {
  local file=$1 from=1 regex at
  shift
  for regex in "$@"; do
    at=$(tail -n "+$from" "$file" | grep -nEm1 -- "$regex" | cut -d: -f1)
    if [ -z "$at" ]; then
      echo "no line after line $((from - 1)) of ${file#"$work"/} matches: $regex"
      return 1
    fi
    from=$((from + at))
  done
}

line_of() {
  grep -nFm1 -- "$1" "$here/program.cpp" | cut -d: -f1
}

check_answers() {
  local how=$1 file=$2
  local reader sleeper nap row unborn
  reader=$(line_of '"reader"') sleeper=$(line_of '"sleeper"')
  nap=$(line_of 'ta::delay(1h)') row=$(line_of 'data.wait()')
  unborn=$(line_of '"unborn"')
  check "$how: the list has every coroutine of both threads, its state and its places" says "$file" \
    '^Thread 1 \(LWP [0-9]+\).*: 7 coroutines$' \
    '^  1\.1 +main +suspended +program.cpp:[0-9]+ +program.cpp:[0-9]+ +coroutine 1\.6$' \
    "^  1\.2 +reader +suspended +program.cpp:$reader +program.cpp:$row +[A-Za-z]+$" \
    "^  1\.3 +sleeper +suspended +program.cpp:$sleeper +program.cpp:$nap +time$" \
    '^  1\.4 +queuer +ready +program.cpp:[0-9]+ +program.cpp:[0-9]+ +-$' \
    '^  1\.5 +- +suspended ' '^  1\.6 +looker +running ' \
    "^  1\.7 +unborn +not started +program.cpp:$unborn +- +-$" \
    '^Thread 2 \(LWP [0-9]+\).*' '^  2\.1 +main +suspended ' '^  2\.2 +remote +suspended .* time$'
  check "$how: ta bt all shows the nested calls of each, main and the other thread included" says "$file" \
    '^coroutine 1\.1 "main", suspended' '^#[0-9]+ .*main \(\)' \
    '^coroutine 1\.2 "reader"' 'read_row \(' \
    'read_table \(.*=0\)' 'read_table \(.*=1\)' 'read_table \(.*=2\)' 'trueasync_context_entry' \
    '^coroutine 1\.3 "sleeper"' 'nap \(\)' 'take_a_long_rest \(\)' \
    '^coroutine 1\.4 "queuer"' 'stand_in_line \(\)' \
    '^coroutine 1\.6 "looker", running' '^#0 .*everything_is_in_place' '^#1 .*look_around' \
    '^coroutine 1\.7 "unborn"' 'no stack yet' \
    '^coroutine 2\.1 "main"' 'serve \(' '^coroutine 2\.2 "remote"' 'take_a_long_rest \(\)' 'trueasync_context_entry'
  check "$how: one coroutine is found by name, and by thread and number" says "$file" \
    'no stack yet' 'trueasync_context_entry' '^coroutine 1\.3 "sleeper"' 'take_a_long_rest' \
    '^coroutine 2\.2 "remote"' 'take_a_long_rest'
  check "$how: inside a coroutine the arguments can be read, and leaving shows the thread again" says "$file" \
    '^coroutine 1\.2 "reader", suspended\. "ta leave"' 'read_row' '^row_number = 42$' 'read_table' \
    '^#0 .*everything_is_in_place' '^Thread 2 ' '^#0 ' 'Scheduler::' \
    '^Thread 1 ' '^#0 .*everything_is_in_place'
}

# Two ways to a core file: from the debugger, and from the kernel when a process dies.
make_kernel_core() {
  (cd "$work" && ulimit -c unlimited &&
    gdb_says "$work/kernel_core.txt" "${stopped[@]}" -ex 'signal SIGABRT' "$work/static")
  local core
  core=$(find "$work" -maxdepth 1 -name 'core*' ! -name core.txt ! -name core_by_helper | head -n 1)
  [ -n "$core" ] && mv "$core" "$work/kernel.core"
}

check 'the program builds with the static library' compile "$work/static" "$build/libtrueasync.a"
check 'the program builds with the shared library' compile "$work/shared" -L"$build" -ltrueasync -Wl,-rpath,"$build"
check 'the program runs to its end without a debugger' timeout 20 "$work/static"
[ $failures -eq 0 ] || exit 1
gdb_says "$work/trace.txt" -ex run /bin/true
if ! says "$work/trace.txt" 'exited normally' >/dev/null; then
  echo 'skip - gdb: this system does not let it trace a process (kernel.yama.ptrace_scope, seccomp)'
  exit 0
fi

gdb_says "$work/live.txt" "${stopped[@]}" "${questions[@]}" -ex "ta core $work/core_by_helper" -ex 'ta enter reader' \
  -ex continue "$work/static"
check_answers 'live' "$work/live.txt"
check 'live: the program goes on undisturbed, even from inside a coroutine' says "$work/live.txt" 'exited normally'

# The thread library must not be needed: a core file may come from another machine.
gdb_says "$work/core.txt" -iex 'set auto-load libthread-db off' "${questions[@]}" "$work/static" "$work/core_by_helper"
check_answers 'core of ta core' "$work/core.txt"

if [[ $(cat /proc/sys/kernel/core_pattern) == [/\|]* ]] || ! (ulimit -c unlimited) 2>/dev/null; then
  echo 'skip - core of the kernel: this system gives core files to another program, or forbids them'
elif ! make_kernel_core; then
  echo 'skip - core of the kernel: it wrote none in the working directory'
else
  gdb_says "$work/kernel.txt" "${questions[@]}" "$work/static" "$work/kernel.core"
  check_answers 'core of the kernel' "$work/kernel.txt"
fi

gdb_says "$work/shared.txt" "${stopped[@]}" "${questions[@]}" "$work/shared"
check_answers 'shared library' "$work/shared.txt"

strip --strip-debug -o "$work/stripped" "$work/static"
gdb_says "$work/stripped.txt" "${stopped[@]}" -ex 'ta coroutines' "$work/stripped"
check 'without debug information it says how to build' says "$work/stripped.txt" 'no debug information.*-g'
gdb_says "$work/foreign.txt" -ex 'break main' -ex run -ex 'ta coroutines' -ex kill \
  -ex 'ta bt all' "$(command -v python3)"
check 'in a program without TrueAsync it says so' says "$work/foreign.txt" 'no TrueAsync|no process'
gdb_says "$work/misuse.txt" "${stopped[@]}" -ex 'ta bt nobody' -ex 'ta bt' -ex 'ta fly' -ex 'ta enter unborn' \
  -ex 'ta help' -ex 'ta enter main' "$work/static"
check 'misuse is answered in words, never by a Python error' says "$work/misuse.txt" \
  'no living coroutine is called nobody' \
  '^usage: ta bt ID' 'unknown command fly' 'has no stack yet' '^ta bt all' 'several have this name: 1\.1, 2\.1'
check 'no Python error anywhere' eval '! grep -n -e Traceback -e "Python Exception" "$work"/*.txt'
rm -f "$work"/core* "$work"/*.core
exit $((failures > 0))
