#!/usr/bin/env python3
"""usage: run.py postgres|redis CLIENT EXTENSION [CASE]
The extension against a real server that is killed, stopped and restarted. Prints 'ok - …' or 'not ok - …' per case; with
CASE only those whose name contains it.
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
    begun = time.monotonic()
    try:
        function(case)
        print(f'ok - {name} ({time.monotonic() - begun:.1f} s)', flush=True)
        return True
    except Exception as error:  # pylint: disable=broad-except
        print(f'not ok - {name}: {error}', flush=True)
        traceback.print_exc(file=sys.stdout)
        print(case.server.log(), flush=True)
        return False


def check_symbols(extension):
    """The header is all it knows: what it needs from outside is its client library's and the C library's."""
    # ABI-02 POOL-09
    output = subprocess.run(['nm', '-D', extension], capture_output=True, text=True, check=True).stdout
    needed = [line.split()[-1] for line in output.splitlines() if ' U ' in line]
    ours = [name for name in needed if name.startswith('ta_') or 'trueasync' in name]
    assert needed and not ours, f'it needs {ours}'
    offered = [line.split()[-1] for line in output.splitlines() if ' T ' in line]
    assert offered == ['ta_extension_main'], f'it offers {offered}'


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers are stopped then, too
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
