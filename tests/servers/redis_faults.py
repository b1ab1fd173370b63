"""Faults of a Redis server while 64 coroutines use 8 connections."""
import contextlib
import time

import faults
from client import CONNECTIONS, Client, every, expect_recovery
from redis import Redis


class Case:
    load = (6000, 10_000)

    def __init__(self, server, program, extension):
        self.server = server
        self.client_words = (program, 'redis', extension)

    def client(self, host='localhost', **options):
        return self.client_of(f'{host}:{self.server.port}', **options)

    def client_of(self, target, **options):
        return expect_recovery(Client(*self.client_words, target, **options))

    def stop(self):
        self.server.kill()

    def restart(self):
        self.stop()
        self.server.start()

    def frozen(self):
        return [self.server.pid]

    def kill(self, i):
        (self.restart if i % 3 == 2 else self.end_sessions)()

    def end_sessions(self):
        """The server closes the sessions shortly after its response."""
        self.server.ask('CLIENT KILL TYPE normal')
        time.sleep(0.05)


def check_contract(case):
    """Errors, sizes, abandoned calls."""
    # DB-11
    with case.client() as client:
        client.expect_contract()


def check_concurrency(case):
    with case.client() as client:
        totals = client.run(20_000, 20_000)
        assert totals['failed'] == 0, client.notes
        assert client.statistics()['created'] == CONNECTIONS
    counted = int(case.server.ask('GET confirmed').split('\r\n')[1])
    assert counted > totals['confirmed'] * 0.99, f'the server counted {counted} of {totals["confirmed"]} transactions'


def check_ended(case):
    with case.client() as client:
        client.begin(6000, 3000, 10_000)
        every(0.2, client, lambda _: case.end_sessions())
        totals = client.finish()
        assert totals['right'] > 0, totals['']


def check_too_many(case):
    """The server accepts five clients, the pool wants eight. The connection of this test also counts for a moment."""
    with case.client() as client:
        case.server.ask('CONFIG SET maxclients 5')
        try:
            totals = client.run(3000, 2000)
            assert totals['right'] > totals['failed'], f'{totals[""]} {client.notes}'
            count = client.count_connections(2000)
            assert count == 5, f'{count} connections to a server that allows five'
            assert any('max number of clients' in note for note in client.notes), client.notes
        finally:
            client.run(10, 5000)
            case.restart()


def check_unix_socket(case):
    with case.client_of(case.server.socket) as client:
        totals = client.run(300, 5000)
        assert totals['failed'] == 0, client.notes


CASES = (
    ('contract', check_contract),
    ('a Unix socket', check_unix_socket),
    ('64 coroutines over 8 connections', check_concurrency),
    ('CLIENT KILL', check_ended),
    ('the server is killed and restarted', faults.check_restart),
    ('the server is down for 3 s', faults.check_down),
    ('connections are refused', faults.check_refused),
    ('the first address refuses', faults.check_refusing_address),
    ('the first address is ::1', faults.check_ipv6_first),
    ('the first address does not answer', faults.check_silent_address),
    ('maxclients is exhausted', check_too_many),
    ('idle sessions are ended', faults.check_idle_killed),
    ('the server is frozen', faults.check_frozen),
    ('many transactions, a kill every second', faults.check_many),
)


@contextlib.contextmanager
def running(program, extension):
    with Redis() as server:
        yield Case(server, program, extension)
