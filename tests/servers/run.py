#!/usr/bin/env python3
"""usage: run.py postgres|redis CLIENT EXTENSION [CASE]
Tests an extension with a real server that is killed, stopped and restarted. Prints 'ok - …' or 'not ok - …' per case. With
CASE, runs only cases whose name contains it.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts' / 'servers'))

import postgres  # noqa: E402  pylint: disable=wrong-import-position
import postgres_faults  # noqa: E402  pylint: disable=wrong-import-position
import redis  # noqa: E402  pylint: disable=wrong-import-position
import redis_faults  # noqa: E402  pylint: disable=wrong-import-position

KINDS = {'postgres': (postgres.Postgres, postgres_faults), 'redis': (redis.Redis, redis_faults)}


def check(name, function, case):
    started = time.monotonic()
    try:
        function(case)
        print(f'ok - {name} ({time.monotonic() - started:.1f} s)', flush=True)
        return True
    except Exception as error:  # pylint: disable=broad-except
        print(f'not ok - {name}: {error}', flush=True)
        traceback.print_exc(file=sys.stdout)
        print(case.server.log(), flush=True)
        return False


def check_symbols(extension):
    """The extension needs only symbols of its client library and libc, and exports only its entry point."""
    # ABI-02 POOL-09
    output = subprocess.run(['nm', '-D', extension], capture_output=True, text=True, check=True).stdout
    needed = [line.split()[-1] for line in output.splitlines() if ' U ' in line]
    ours = [name for name in needed if name.startswith('ta_') or 'trueasync' in name]
    assert needed and not ours, f'the extension needs {ours}'
    exported = [line.split()[-1] for line in output.splitlines() if ' T ' in line]
    assert exported == ['ta_extension_main'], f'the extension exports {exported}'


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # stops the servers
    kind, program, extension, *wanted = sys.argv[1:]
    server, faults = KINDS[kind]
    if not server.is_installed():
        print(f'skip - {kind}: the server is not installed')
        return 0
    with faults.running(os.path.abspath(program), os.path.abspath(extension)) as case:
        cases = (('needs no symbol of the library', lambda _: check_symbols(extension)), *faults.CASES)
        results = [check(name, function, case) for name, function in cases if all(word in name for word in wanted)]
    return 0 if results and all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
