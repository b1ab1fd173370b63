"""What can happen to any server. A case has a server, client() and
  load            (how many transactions, the microseconds between two of one coroutine)
  stop()          its server goes away
  end_sessions()  the server ends the sessions that are there
  frozen()        the processes that make up the server
  kill(i)         the i-th kill of a long load
"""
import contextlib
import os
import signal
import time

from client import CONNECTIONS, every


def run_through(case, limit, fault):
    """A load, and the fault in its midst: some requests fail, others are answered, and all is well in the end."""
    count, pause = case.load
    with case.client() as client:
        client.begin(count, limit, pause)
        time.sleep(0.3)
        fault()
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_restart(case):
    def restart():
        case.stop()
        time.sleep(3 * case.load[1] / 1e6)  # each coroutine sends a request while there is no server
        case.server.start()
    run_through(case, 3000, restart)


def check_gone(case):
    """For three seconds. Callers with a limit of one second get an answer or an error within it."""
    def vanish():
        case.stop()
        time.sleep(3)
        case.server.start()
    run_through(case, 1000, vanish)


def check_refused(case):
    """Nobody is there when the program begins to ask."""
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(case.client())
        case.stop()
        try:
            totals = client.run(150, 500)
            assert totals['right'] == 0 and totals['failed'] == 150, totals['']
            assert client.statistics()['total'] == 0
        finally:
            case.server.start()


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
        pids = case.frozen()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            totals = client.run(200, 400)
            assert totals['right'] == 0 and totals['failed'] == 200, totals['']
        finally:
            for pid in reversed(pids):
                os.kill(pid, signal.SIGCONT)


def check_many(case):
    """TRUEASYNC_TRANSACTIONS of them (100000 for all), with a kill every second."""
    count = int(os.environ.get('TRUEASYNC_TRANSACTIONS') or 5000)
    with case.client() as client:
        client.begin(count, 5000, 40_000 if count < 50_000 else 5000)
        every(1, client, case.kill)
        totals = client.finish()
        assert totals['begun'] == count, totals['']
