#!/usr/bin/env python3
"""usage: check_output.py EXPECTED COMMAND...
Runs the command. It must exit with 0, and its output must contain the lines of the file EXPECTED in that order, each as a
part of a line. A missing file expects nothing.
"""
import pathlib
import subprocess
import sys


def missing_line(expected, output):
    """The first expected line that no line of the output contains, in order, or None."""
    lines = iter(output.splitlines())
    for wanted in (line.rstrip() for line in expected.splitlines() if line.strip()):
        if not any(wanted.strip() in line for line in lines):
            return wanted
    return None


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    expected = pathlib.Path(sys.argv[1])
    done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          check=False)
    output = done.stdout.decode('utf-8', 'replace')
    print(output, end='')
    if done.returncode != 0:
        print(f'error: exit code {done.returncode}')
        return 1
    wanted = missing_line(expected.read_text(encoding='utf-8'), output) if expected.is_file() else None
    if wanted is not None:
        print(f'error: line of {expected} is missing or out of order: {wanted}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
