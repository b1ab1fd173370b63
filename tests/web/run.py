#!/usr/bin/env python3
"""usage: run.py HTTP_SERVER
Tests the HTTP server of the examples with real tools and faulty clients. Prints 'ok - …' or 'not ok - …' per check.
TRUEASYNC_SEED repeats the random bytes of an earlier run.
"""
import os
import sys
import tempfile
import traceback

import faults
import tools
from server import Server, make_certificate


def check(name, function, *arguments):
    try:
        function(*arguments)
        print(f'ok - {name}', flush=True)
        return True
    except Exception as error:  # pylint: disable=broad-except
        print(f'not ok - {name}: {error}', flush=True)
        traceback.print_exc(file=sys.stdout)
        return False


def with_count(function, *arguments):
    """Wraps a check: the server must have the same number of descriptors before and after it."""

    def run(server):
        before = server.settled_descriptors()
        function(server, *arguments)
        after = server.wait_for_descriptors(before)
        assert after == before, f'{before} descriptors before, {after} after'

    return run


def check_random_bytes_over_tls(program, seed):
    with tempfile.TemporaryDirectory() as folder:
        ca, certificate, key = make_certificate(folder)
        with Server(program, '--certificate', certificate, '--key', key) as server:
            with_count(faults.check_random_bytes_in_tls, ca, seed)(server)


def main():
    program = os.path.abspath(sys.argv[1])
    seed = int(os.environ.get('TRUEASYNC_SEED') or int.from_bytes(os.urandom(4), 'little'))
    results = []
    with Server(program) as server:
        for name, function in (('curl: responses, HEAD, errors', tools.check_curl),
                               ('curl: keep-alive', tools.check_keep_alive),
                               ('curl: large, chunked and rejected bodies, 100-continue', tools.check_bodies),
                               ('nc: 200 requests pipelined', tools.check_pipelining),
                               ('wrk: no errors', tools.check_wrk),
                               ('half-closed clients', faults.check_half_closed),
                               ('resets at every byte', faults.check_resets)):
            results.append(check(name, with_count(function), server))
        results.append(check(f'random bytes, seed {seed}', with_count(faults.check_random_bytes, seed), server))
    for name, function in (('TLS: curl and openssl s_client', tools.check_tls),
                           ('half-open clients are closed', faults.check_half_open),
                           ('slow clients are closed', faults.check_slowloris),
                           ('SIGTERM drains', faults.check_drain),
                           ('closed standard output', faults.check_closed_output)):
        results.append(check(name, function, program))
    results.append(check(f'TLS: random bytes, seed {seed}', check_random_bytes_over_tls, program, seed))
    return 0 if all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
