#!/usr/bin/env python3
"""Checks that every public header compiles alone and when included twice, with g++ and clang++ and all warnings.

usage: check_headers.py [-jN] [HEADER...]     HEADER is the path in an #include, e.g. trueasync/error.hpp
A .h header must also compile as C11. Prints 'ok - …' or 'not ok - …' per header and compiler.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Werror']
CXX = [['g++', '-x', 'c++', '-std=c++20'], ['clang++', '-x', 'c++', '-std=c++20']]
C = [['gcc', '-x', 'c', '-std=c11'], ['clang', '-x', 'c', '-std=c11']]


def compile_alone(header, compiler):
    """The compiler's messages; empty if the header compiles."""
    source = f'#include <{header}>\n#include <{header}>\n'
    command = [*compiler, *WARNINGS, '-fsyntax-only', f'-I{ROOT / "include"}', '-']
    result = subprocess.run(command, input=source, text=True, capture_output=True, check=False)
    return '' if result.returncode == 0 else result.stdout + result.stderr or 'failed without a message'


def main():
    parser = argparse.ArgumentParser(description='Checks that every public header compiles alone.')
    parser.add_argument('-j', type=int, default=1, help='number of parallel compilers')
    parser.add_argument('headers', nargs='*')
    arguments = parser.parse_args()
    include = ROOT / 'include'
    headers = arguments.headers or [p.relative_to(include).as_posix() for p in sorted(include.rglob('*.h*'))]
    tasks = [(header, compiler) for header in headers for compiler in CXX + (C if header.endswith('.h') else [])]
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        messages = list(pool.map(lambda task: compile_alone(*task), tasks))
    for (header, compiler), message in zip(tasks, messages):
        print(f'{"not ok" if message else "ok"} - {header} with {compiler[0]}')
        if message:
            print(message)
    return 1 if any(messages) else 0


if __name__ == '__main__':
    sys.exit(main())
