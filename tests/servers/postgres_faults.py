"""Faults of a PostgreSQL server while 64 coroutines use 8 connections."""
import contextlib
import os
import random
import signal
import time

import faults
from client import CONNECTIONS, Client, every, expect_recovery
from postgres import Postgres

# `app` is not a superuser, so the slots reserved for superusers stay free for the test.
SETUP = ('create role app login; grant all on schema public to app; '
         'create table ledger (worker int, number int, unique (worker, number)); grant all on ledger to app')
CLIENT_SESSIONS = "usename = 'app'"


class Case:
    load = (4000, 20_000)

    def __init__(self, server, program, extension):
        self.server = server
        self.client_words = (program, 'postgres', extension)

    @contextlib.contextmanager
    def client(self, host='localhost', **options):
        """A client whose transactions are checked: confirmed rows must exist, uncommitted rows must not."""
        self.server.sql('truncate ledger')
        target = self.server.conninfo(host=host, user='app')
        totals = []
        with expect_recovery(Client(*self.client_words, target, **options)) as client:
            finish = client.finish
            client.finish = lambda: totals.append(finish()) or totals[-1]
            yield client
        wait_until(lambda: self.sessions() == 0, 'sessions remain')
        rows, below = (int(text) for text in self.server.sql(
            'select count(*), count(*) filter (where number < 0) from ledger').split('|'))
        confirmed, failed = totals[-1]['confirmed'], sum(each['failed'] for each in totals)
        assert below == 0, f'{below} rows of transactions that were never committed'
        assert confirmed <= rows <= confirmed + failed, f'{rows} rows, {confirmed} confirmed, {failed} failed'

    def sessions(self):
        return int(self.server.sql(f'select count(*) from pg_stat_activity where {CLIENT_SESSIONS}'))

    def pids(self):
        return [int(pid) for pid in self.server.sql(f'select pid from pg_stat_activity where {CLIENT_SESSIONS}').split()]

    def stop(self):
        self.server.shut_down()

    def end_sessions(self):
        self.server.sql(f'select pg_terminate_backend(pid, 5000) from pg_stat_activity where {CLIENT_SESSIONS}')

    def frozen(self):
        return [*self.pids(), self.server.pid]

    def kill(self, i):
        (self.kill_one if i % 3 == 2 else self.terminate_one)()

    def terminate_one(self):
        self.server.sql(f'select pg_terminate_backend(pid) from pg_stat_activity where {CLIENT_SESSIONS} order by random() limit 1')

    def kill_one(self):
        """Ends all sessions, because the server then discards its shared memory and restarts."""
        if pids := self.pids():
            os.kill(random.choice(pids), signal.SIGKILL)
            wait_until(self.server.answers, 'the server does not recover')


def wait_until(condition, text):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, text
        time.sleep(0.05)


def check_contract(case):
    """Errors, sizes, abandoned calls, reset of sessions."""
    # DB-01 DB-02 DB-05 DB-11 DB-13
    with case.client() as client:
        client.expect_contract()


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
        client.expect_all_connections()
        created = client.statistics()['created']
        assert created == CONNECTIONS + count, f'{created} connections created after {count} kills'


def check_killed(case):
    with case.client() as client:
        client.begin(4000, 3000, 20_000)
        every(0.7, client, lambda _: case.kill_one())
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_too_many(case):
    """The server has five slots for the client, the pool wants eight."""
    # PO-07
    saved = dict(case.server.settings)
    with case.client() as client:
        try:
            case.server.settings.update(max_connections='8', superuser_reserved_connections='3')
            case.server.shut_down()
            case.server.start()
            totals = client.run(2000, 2000)
            assert totals['right'] > totals['failed'], f'{totals[""]} {client.notes}'
            count = client.count_connections(3000)
            assert count == 5, f'{count} connections to a server that allows five'
            assert any('connection slots' in note or 'too many' in note for note in client.notes), client.notes
        finally:
            case.server.settings = saved
            case.server.shut_down()
            case.server.start()


def check_health(case):
    """The health check finds broken connections."""
    # POOL-05
    with case.client(healthcheck_ms=100) as client:
        client.expect_all_connections()
        case.end_sessions()
        wait_until(lambda: client.statistics()['total'] == 0, 'broken connections stay in the pool')


CASES = (
    ('contract', check_contract),
    ('64 coroutines over 8 connections', check_concurrency),
    ('pg_terminate_backend', check_terminated),
    ('a backend is killed', check_killed),
    ('the server restarts', faults.check_restart),
    ('the server is down for 3 s', faults.check_down),
    ('connections are refused', faults.check_refused),
    ('the first address refuses', faults.check_refusing_address),
    ('the first address is ::1', faults.check_ipv6_first),
    ('the first address does not answer', faults.check_silent_address),
    ('max_connections is exhausted', check_too_many),
    ('idle sessions are ended', faults.check_idle_killed),
    ('a health check finds broken sessions', check_health),
    ('the server is frozen', faults.check_frozen),
    ('many transactions, a kill every second', faults.check_many),
)


@contextlib.contextmanager
def running(program, extension):
    # The server then ends queries whose client has disconnected.
    with Postgres(client_connection_check_interval='200ms') as server:
        server.sql(SETUP)
        yield Case(server, program, extension)
