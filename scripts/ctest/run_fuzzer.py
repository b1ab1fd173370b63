#!/usr/bin/env python3
"""usage: run_fuzzer.py PROGRAM SOURCE
Runs a libFuzzer program for TRUEASYNC_FUZZ_SECONDS seconds (default 20). NAME.dict and NAME.seeds beside SOURCE are its
dictionary and first inputs. The corpus and failing inputs are kept in the folder of PROGRAM; pass a failing input to the
program to reproduce the failure.
"""
import os
import pathlib
import subprocess
import sys


def main():
    program, source = (pathlib.Path(argument) for argument in sys.argv[1:3])
    corpus = program.parent / 'corpus' / source.stem
    corpus.mkdir(parents=True, exist_ok=True)
    options = [f'-max_total_time={os.environ.get("TRUEASYNC_FUZZ_SECONDS") or 20}', '-max_len=4096',
               '-print_final_stats=1', f'-artifact_prefix={program.parent}/']
    options += [f'-dict={path}' for path in source.parent.glob(f'{source.stem}.dict')]
    seeds = source.parent.glob(f'{source.stem}.seeds')
    return subprocess.run([program, *options, corpus, *seeds], check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
