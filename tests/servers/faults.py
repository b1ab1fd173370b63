"""What can happen to any server. A case has a server, client(host) and
  load            (how many transactions, the microseconds between two of one coroutine)
  stop()          its server goes away
  end_sessions()  the server ends the sessions that are there
  frozen()        the processes that make up the server
  kill(i)         the i-th kill of a long load
"""
import contextlib
import os
import signal
import socket
import time

from client import CONNECTIONS, SEVERAL_HOST, every

SERVER_ADDRESS = '127.0.0.1'  # the only one that a server of scripts/servers listens on


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


@contextlib.contextmanager
def refusing(address, port):
    """Connections to it are refused: its port is bound, so that no other program can listen there."""
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # without IPv6 connections to it fail as well
            stack.enter_context(socket.socket(family, socket.SOCK_STREAM)).bind((address, port))
        yield address


@contextlib.contextmanager
def silent(address, port):
    """Connections to it get no answer: the kernel drops them because the listener's queue is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind((address, port))
        listener.listen(0)
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex((address, port))
        yield address


def run_with_addresses(case, addresses, **options):
    with case.client(SEVERAL_HOST, addresses=addresses, **options) as client:
        totals = client.run(300, 5000)
        assert totals['failed'] == 0, f'{totals[""]} {client.notes}'


def check_refusing_address(case):
    """The server has the last address: of two, and of more than any fixed array is likely to hold."""
    with contextlib.ExitStack() as stack:
        refused = [stack.enter_context(refusing(f'127.0.0.{i}', case.server.port)) for i in range(2, 22)]
        run_with_addresses(case, [refused[0], SERVER_ADDRESS])
        run_with_addresses(case, [*refused, SERVER_ADDRESS])


def check_ipv6_first(case):
    """As "localhost" on a Debian machine, whose /etc/hosts has a line "::1 localhost"."""
    with refusing('::1', case.server.port) as address:
        run_with_addresses(case, [address, SERVER_ADDRESS])


def check_silent_address(case):
    """The timeout leaves time for the server's address."""
    with silent('127.0.0.2', case.server.port) as address:
        run_with_addresses(case, [address, SERVER_ADDRESS], connect_ms=400)


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
