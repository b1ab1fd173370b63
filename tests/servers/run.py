#!/usr/bin/env python3
"""usage: run.py postgres|redis CLIENT EXTENSION [CASE]
The extension against a real server that is killed, stopped and restarted. Prints 'ok - …' or 'not ok - …' per case; with
CASE only those whose name contains it.
"""
import os
import pathlib
import signal
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


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers are stopped then, too
    kind, program, extension, *wanted = sys.argv[1:]
    server, faults = KINDS[kind]
    if not server.is_installed():
        print(f'skip - {kind}: the server is not installed')
        return 0
    with faults.running(os.path.abspath(program), os.path.abspath(extension)) as case:
        results = [check(name, function, case) for name, function in faults.CASES
                   if all(word in name for word in wanted)]
    return 0 if results and all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
