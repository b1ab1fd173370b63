"""What can happen to a Redis server while 64 coroutines use 8 connections of it."""
import contextlib
import os
import signal
import time

from client import CONNECTIONS, Client, every, healthy_in_the_end
from redis import Redis


class Case:
    def __init__(self, server, program, extension):
        self.server = server
        self.client_words = (program, 'redis', extension)

    def client(self, **options):
        return healthy_in_the_end(Client(*self.client_words, str(self.server.port), **options))

    def restart(self):
        self.server.kill()
        self.server.start()

    def end_sessions(self):
        """The server closes them a moment after it has answered."""
        self.server.ask('CLIENT KILL TYPE normal')
        time.sleep(0.05)


def check_manners(case):
    """Errors, sizes, callers that leave."""
    # DB-11
    with case.client() as client:
        client.expect_manners()


def check_concurrency(case):
    with case.client() as client:
        totals = client.run(20_000, 20_000)
        assert totals['failed'] == 0, client.notes
        assert client.statistics()['created'] == CONNECTIONS
    counted = int(case.server.ask('GET confirmed').split('\r\n')[1])
    assert counted > totals['confirmed'] * 0.99, f'{counted} of {totals["confirmed"]} are counted by the server'


def check_ended(case):
    with case.client() as client:
        client.begin(6000, 3000, 10_000)
        every(0.2, client, lambda _: case.end_sessions())
        totals = client.finish()
        assert totals['right'] > 0, totals['']


def check_restart(case):
    with case.client() as client:
        client.begin(6000, 3000, 10_000)
        time.sleep(0.3)
        case.restart()
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_gone(case):
    """For three seconds. Callers with a limit of one second get an answer or an error within it."""
    with case.client() as client:
        client.begin(6000, 1000, 10_000)
        time.sleep(0.3)
        case.server.kill()
        time.sleep(3)
        case.server.start()
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_refused(case):
    """Nobody is there when the program begins."""
    case.server.kill()
    with case.client() as client:
        try:
            totals = client.run(150, 500)
            assert totals['right'] == 0 and totals['failed'] == 150, totals['']
            assert client.statistics()['total'] == 0
        finally:
            case.server.start()


def check_too_many(case):
    """The server takes five clients, the pool wants eight; one of them is us, asking."""
    with case.client() as client:
        case.server.ask('CONFIG SET maxclients 5')
        try:
            totals = client.run(3000, 2000)
            assert totals['right'] > totals['failed'], f'{totals[""]} {client.notes}'
            strength = client.strength(2000)
            assert strength == 5, f'{strength} connections of a server that allows five'
            assert any('max number of clients' in note for note in client.notes), client.notes
        finally:
            client.run(10, 5000)
            case.restart()


def check_idle_killed(case):
    """Dead connections are found before anybody gets one."""
    # DB-14
    with case.client() as client:
        client.expect_full_strength()
        case.end_sessions()
        totals = client.run(1000, 5000)
        assert totals['failed'] == 0, f'{totals[""]} {client.notes}'
        now = client.statistics()
        assert now['created'] == 2 * CONNECTIONS and now['failed_checks'] == CONNECTIONS, now['']


def check_frozen(case):
    """The server takes what is sent and does not answer."""
    # POOL-10
    with case.client() as client:
        client.expect_full_strength()
        os.kill(case.server.pid, signal.SIGSTOP)
        try:
            totals = client.run(200, 400)
            assert totals['right'] == 0 and totals['failed'] == 200, totals['']
        finally:
            os.kill(case.server.pid, signal.SIGCONT)


def check_many(case):
    """TRUEASYNC_TRANSACTIONS of them (100000 for all), with a kill every second."""
    count = int(os.environ.get('TRUEASYNC_TRANSACTIONS') or 5000)
    with case.client() as client:
        client.begin(count, 5000, 40_000 if count < 50_000 else 5000)
        every(1, client, lambda i: case.restart() if i % 3 == 2 else case.end_sessions())
        totals = client.finish()
        assert totals['begun'] == count, totals['']


CASES = (
    ('manners', check_manners),
    ('64 coroutines over 8 connections', check_concurrency),
    ('CLIENT KILL', check_ended),
    ('the server is killed and started again', check_restart),
    ('the server is gone for 3 s', check_gone),
    ('connections are refused', check_refused),
    ('maxclients is exhausted', check_too_many),
    ('idle sessions are ended', check_idle_killed),
    ('the server is frozen', check_frozen),
    ('many transactions, a kill every second', check_many),
)


@contextlib.contextmanager
def running(program, extension):
    with Redis() as server:
        yield Case(server, program, extension)
