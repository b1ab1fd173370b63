"""What can happen to a PostgreSQL server while 64 coroutines use 8 connections of it."""
import contextlib
import os
import random
import signal
import time

from client import CONNECTIONS, Client, every, healthy_in_the_end
from postgres import Postgres

# `app` is nobody special, so that the slots reserved for the superuser stay free for us.
SETUP = ('create role app login; grant all on schema public to app; '
         'create table ledger (worker int, number int, unique (worker, number)); grant all on ledger to app')
MINE = "usename = 'app'"


class Case:
    def __init__(self, server, program, extension):
        self.server = server
        self.client_words = (program, 'postgres', extension)

    @contextlib.contextmanager
    def client(self, **options):
        """A client, and what must hold of its transactions: what was confirmed is there, what was not committed is not."""
        self.server.sql('truncate ledger')
        target = self.server.conninfo(host='localhost', user='app')
        totals = []
        with healthy_in_the_end(Client(*self.client_words, target, **options)) as client:
            finish = client.finish
            client.finish = lambda: totals.append(finish()) or totals[-1]
            yield client
        wait_until(lambda: self.sessions() == 0, 'sessions are left')
        rows, below = (int(text) for text in self.server.sql(
            'select count(*), count(*) filter (where number < 0) from ledger').split('|'))
        confirmed, failed = totals[-1]['confirmed'], sum(each['failed'] for each in totals)
        assert below == 0, f'{below} rows of transactions that were never committed'
        assert confirmed <= rows <= confirmed + failed, f'{rows} rows, {confirmed} confirmed, {failed} failed'

    def sessions(self):
        return int(self.server.sql(f'select count(*) from pg_stat_activity where {MINE}'))

    def pids(self):
        return [int(pid) for pid in self.server.sql(f'select pid from pg_stat_activity where {MINE}').split()]

    def terminate_one(self):
        self.server.sql(f'select pg_terminate_backend(pid) from pg_stat_activity where {MINE} order by random() limit 1')

    def kill_one(self):
        """All sessions are lost then: the server does not trust its shared memory any more, and starts over."""
        if pids := self.pids():
            os.kill(random.choice(pids), signal.SIGKILL)
            wait_until(self.server.answers, 'the server does not recover')


def wait_until(condition, text):
    limit = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < limit, text
        time.sleep(0.05)


def check_manners(case):
    """Errors, sizes, callers that leave, sessions that are reset."""
    # DB-01 DB-02 DB-05 DB-11 DB-13
    with case.client() as client:
        client.expect_manners()


def check_concurrency(case):
    with case.client() as client:
        totals = client.run(3000, 20_000)
        assert totals['failed'] == 0, client.notes
        assert client.statistics()['created'] == CONNECTIONS


def check_terminated(case):
    # DB-11 DB-12
    with case.client() as client:
        client.begin(4000, 3000, 20_000)
        count = every(0.3, client, lambda _: case.terminate_one())
        client.finish()
        client.expect_full_strength()
        created = client.statistics()['created']
        assert created == CONNECTIONS + count, f'{created} connections were made after {count} kills'


def check_killed(case):
    with case.client() as client:
        client.begin(4000, 3000, 20_000)
        every(0.7, client, lambda _: case.kill_one())
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_restart(case):
    with case.client() as client:
        client.begin(4000, 3000, 20_000)
        time.sleep(0.5)
        case.server.shut_down()
        case.server.start()
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_gone(case):
    """For three seconds. Callers with a limit of one second get an answer or an error within it."""
    with case.client() as client:
        client.begin(4000, 1000, 20_000)
        time.sleep(0.3)
        case.server.shut_down()
        time.sleep(3)
        case.server.start()
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_refused(case):
    """Nobody is there when the program begins."""
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(case.client())
        case.server.shut_down()
        try:
            totals = client.run(150, 500)
            assert totals['right'] == 0 and totals['failed'] == 150, totals['']
            assert client.statistics()['total'] == 0
        finally:
            case.server.start()


def check_too_many(case):
    """The server has five places for us, the pool wants eight."""
    # PO-07
    keep = dict(case.server.settings)
    with case.client() as client:
        try:
            case.server.settings.update(max_connections='8', superuser_reserved_connections='3')
            case.server.shut_down()
            case.server.start()
            totals = client.run(2000, 2000)
            assert totals['right'] > totals['failed'], f'{totals[""]} {client.notes}'
            strength = client.strength(3000)
            assert strength == 5, f'{strength} connections of a server that allows five'
            assert any('connection slots' in note or 'too many' in note for note in client.notes), client.notes
        finally:
            case.server.settings = keep
            case.server.shut_down()
            case.server.start()


def check_idle_killed(case):
    """Dead connections are found before anybody gets one."""
    # DB-14
    with case.client() as client:
        client.expect_full_strength()
        case.server.sql(f'select pg_terminate_backend(pid, 5000) from pg_stat_activity where {MINE}')
        totals = client.run(1000, 5000)
        assert totals['failed'] == 0, f'{totals[""]} {client.notes}'
        now = client.statistics()
        assert now['created'] == 2 * CONNECTIONS and now['failed_checks'] == CONNECTIONS, now['']


def check_health(case):
    """The health check finds the dead by itself."""
    # POOL-05
    with case.client(healthcheck_ms=100) as client:
        client.expect_full_strength()
        case.server.sql(f'select pg_terminate_backend(pid, 5000) from pg_stat_activity where {MINE}')
        wait_until(lambda: client.statistics()['total'] == 0, 'dead connections stay in the pool')


def check_frozen(case):
    """The server takes what is sent and does not answer."""
    # POOL-10
    with case.client() as client:
        client.expect_full_strength()
        pids = case.pids()
        for pid in [*pids, case.server.pid]:
            os.kill(pid, signal.SIGSTOP)
        try:
            totals = client.run(200, 400)
            assert totals['right'] == 0 and totals['failed'] == 200, totals['']
        finally:
            for pid in [case.server.pid, *pids]:
                os.kill(pid, signal.SIGCONT)


def check_many(case):
    """TRUEASYNC_TRANSACTIONS of them (100000 for all), with a kill every second."""
    count = int(os.environ.get('TRUEASYNC_TRANSACTIONS') or 5000)
    with case.client() as client:
        client.begin(count, 5000, 40_000 if count < 50_000 else 5000)
        every(1, client, lambda i: case.kill_one() if i % 3 == 2 else case.terminate_one())
        totals = client.finish()
        assert totals['begun'] == count, totals['']


CASES = (
    ('manners', check_manners),
    ('64 coroutines over 8 connections', check_concurrency),
    ('pg_terminate_backend', check_terminated),
    ('a backend is killed', check_killed),
    ('the server restarts', check_restart),
    ('the server is gone for 3 s', check_gone),
    ('connections are refused', check_refused),
    ('max_connections is exhausted', check_too_many),
    ('idle sessions are ended', check_idle_killed),
    ('a health check finds dead sessions', check_health),
    ('the server is frozen', check_frozen),
    ('many transactions, a kill every second', check_many),
)


@contextlib.contextmanager
def running(program, extension):
    # So that it ends what nobody waits for any more.
    with Postgres(client_connection_check_interval='200ms') as server:
        server.sql(SETUP)
        yield Case(server, program, extension)
