#!/usr/bin/env bash
# usage: run.sh BUILD_DIR WORK_DIR
# Debugs program.cpp, linked with the libraries of BUILD_DIR, with tools/gdb, in a live process and in core files.
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

# run_gdb FILE ARGUMENT...: writes the output of gdb to FILE.
run_gdb() {
  local file=$1
  shift
  timeout 60 gdb -nx -batch -iex 'set debuginfod enabled off' -ex 'set width 0' -x "$helper" "$@" \
    >"$file" 2>&1 </dev/null
}

stopped=(-ex 'set confirm off' -ex 'break breakpoint_location' -ex run)
commands=(-ex 'ta coroutines' -ex 'ta bt all' -ex 'ta bt sleeper' -ex 'ta bt 2.2' -ex 'ta enter reader' -ex 'info args'
  -ex 'up' -ex 'ta leave' -ex 'thread apply all bt')

# has_lines FILE REGEX...: FILE has a line for each regex, in this order.
has_lines() {
  local file=$1 from=1 regex line
  shift
  for regex in "$@"; do
    line=$(tail -n "+$from" "$file" | grep -nEm1 -- "$regex" | cut -d: -f1)
    if [ -z "$line" ]; then
      echo "no match after line $((from - 1)) of ${file#"$work"/}: $regex"
      return 1
    fi
    from=$((from + line))
  done
}

line_of() {
  grep -nFm1 -- "$1" "$here/program.cpp" | cut -d: -f1
}

check_output() {
  local how=$1 file=$2
  local reader sleeper nap row unstarted
  reader=$(line_of '"reader"') sleeper=$(line_of '"sleeper"')
  nap=$(line_of 'ta::delay(1h)') row=$(line_of 'data.wait()')
  unstarted=$(line_of '"unstarted"')
  check "$how: ta coroutines lists every coroutine of both threads with state and locations" has_lines "$file" \
    '^Thread 1 \(LWP [0-9]+\).*: 7 coroutines$' \
    '^  1\.1 +main +suspended +program.cpp:[0-9]+ +program.cpp:[0-9]+ +coroutine 1\.6$' \
    "^  1\.2 +reader +suspended +program.cpp:$reader +program.cpp:$row +[A-Za-z]+$" \
    "^  1\.3 +sleeper +suspended +program.cpp:$sleeper +program.cpp:$nap +time$" \
    '^  1\.4 +yielder +ready +program.cpp:[0-9]+ +program.cpp:[0-9]+ +-$' \
    '^  1\.5 +- +suspended ' '^  1\.6 +stopper +running ' \
    "^  1\.7 +unstarted +not started +program.cpp:$unstarted +- +-$" \
    '^Thread 2 \(LWP [0-9]+\).*' '^  2\.1 +main +suspended ' '^  2\.2 +remote +suspended .* time$'
  check "$how: ta bt all prints the nested calls of each coroutine, also of main and the other thread" has_lines "$file" \
    '^coroutine 1\.1 "main", suspended' '^#[0-9]+ .*main \(\)' \
    '^coroutine 1\.2 "reader"' 'read_row \(' \
    'read_table \(.*=0\)' 'read_table \(.*=1\)' 'read_table \(.*=2\)' 'trueasync_context_entry' \
    '^coroutine 1\.3 "sleeper"' 'nap \(\)' 'call_nap \(\)' \
    '^coroutine 1\.4 "yielder"' 'yield_forever \(\)' \
    '^coroutine 1\.6 "stopper", running' '^#0 .*breakpoint_location' '^#1 .*spawn_and_stop' \
    '^coroutine 1\.7 "unstarted"' 'no stack yet' \
    '^coroutine 2\.1 "main"' 'serve \(' '^coroutine 2\.2 "remote"' 'call_nap \(\)' 'trueasync_context_entry'
  check "$how: ta bt finds a coroutine by name and by thread and number" has_lines "$file" \
    'no stack yet' 'trueasync_context_entry' '^coroutine 1\.3 "sleeper"' 'call_nap' \
    '^coroutine 2\.2 "remote"' 'call_nap'
  check "$how: ta enter makes arguments readable, ta leave selects the thread again" has_lines "$file" \
    '^coroutine 1\.2 "reader", suspended; "ta leave"' 'read_row' '^row_number = 42$' 'read_table' \
    '^#0 .*breakpoint_location' '^Thread 2 ' '^#0 ' 'Scheduler::' \
    '^Thread 1 ' '^#0 .*breakpoint_location'
}

# A core file written by the kernel; `ta core` writes the other one.
make_kernel_core() {
  (cd "$work" && ulimit -c unlimited &&
    run_gdb "$work/kernel_core.txt" "${stopped[@]}" -ex 'signal SIGABRT' "$work/static")
  local core
  core=$(find "$work" -maxdepth 1 -name 'core*' ! -name core.txt ! -name core_by_helper | head -n 1)
  [ -n "$core" ] && mv "$core" "$work/kernel.core"
}

check 'program builds with the static library' compile "$work/static" "$build/libtrueasync.a"
check 'program builds with the shared library' compile "$work/shared" -L"$build" -ltrueasync -Wl,-rpath,"$build"
check 'program runs without a debugger' timeout 20 "$work/static"
[ $failures -eq 0 ] || exit 1
run_gdb "$work/trace.txt" -ex run /bin/true
if ! has_lines "$work/trace.txt" 'exited normally' >/dev/null; then
  echo 'skip - gdb: this system does not let it trace a process (kernel.yama.ptrace_scope, seccomp)'
  exit 0
fi

run_gdb "$work/live.txt" "${stopped[@]}" "${commands[@]}" -ex "ta core $work/core_by_helper" -ex 'ta enter reader' \
  -ex continue "$work/static"
check_output 'live' "$work/live.txt"
check 'live: continue works after ta enter' has_lines "$work/live.txt" 'exited normally'

# A core file from another machine must not need the thread library.
run_gdb "$work/core.txt" -iex 'set auto-load libthread-db off' "${commands[@]}" "$work/static" "$work/core_by_helper"
check_output 'core of ta core' "$work/core.txt"

if [[ $(cat /proc/sys/kernel/core_pattern) == [/\|]* ]] || ! (ulimit -c unlimited) 2>/dev/null; then
  echo 'skip - core of the kernel: core files are disabled or piped to a program'
elif ! make_kernel_core; then
  echo 'skip - core of the kernel: none written to the working directory'
else
  run_gdb "$work/kernel.txt" "${commands[@]}" "$work/static" "$work/kernel.core"
  check_output 'core of the kernel' "$work/kernel.txt"
fi

run_gdb "$work/shared.txt" "${stopped[@]}" "${commands[@]}" "$work/shared"
check_output 'shared library' "$work/shared.txt"

strip --strip-debug -o "$work/stripped" "$work/static"
run_gdb "$work/stripped.txt" "${stopped[@]}" -ex 'ta coroutines' "$work/stripped"
check 'missing debug information is reported' has_lines "$work/stripped.txt" 'no debug information.*-g'
run_gdb "$work/foreign.txt" -ex 'break main' -ex run -ex 'ta coroutines' -ex kill \
  -ex 'ta bt all' "$(command -v python3)"
check 'program without TrueAsync is reported' has_lines "$work/foreign.txt" 'no TrueAsync|no process'
run_gdb "$work/misuse.txt" "${stopped[@]}" -ex 'ta bt missing' -ex 'ta bt' -ex 'ta fly' -ex 'ta enter unstarted' \
  -ex 'ta help' -ex 'ta enter main' "$work/static"
check 'misuse is reported without a Python error' has_lines "$work/misuse.txt" \
  'no live coroutine matches missing' \
  '^usage: ta bt ID' 'unknown command fly' 'has no stack yet' '^ta bt all' 'several coroutines have this name: 1\.1, 2\.1'
check 'no Python errors' eval '! grep -n -e Traceback -e "Python Exception" "$work"/*.txt'
rm -f "$work"/core* "$work"/*.core
exit $((failures > 0))
