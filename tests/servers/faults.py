"""Faults of any server. A case has a server, client(host) and
  load            (number of transactions, microseconds between two transactions of a coroutine)
  stop()          stops the server
  end_sessions()  makes the server end its sessions
  frozen()        the process IDs of the server
  kill(i)         the i-th kill of a long load
"""
import contextlib
import os
import signal
import socket
import time

from client import CONNECTIONS, SEVERAL_HOST, every

SERVER_ADDRESS = '127.0.0.1'  # the only address that the servers of scripts/servers listen on


def run_through(case, timeout_ms, fault):
    """Injects the fault during a load: some requests fail, some succeed, and the pool recovers."""
    count, pause = case.load
    with case.client() as client:
        client.begin(count, timeout_ms, pause)
        time.sleep(0.3)
        fault()
        totals = client.finish()
        assert totals['failed'] > 0 and totals['right'] > 0, totals['']


def check_restart(case):
    def restart():
        case.stop()
        time.sleep(3 * case.load[1] / 1e6)  # each coroutine sends a request while the server is down
        case.server.start()
    run_through(case, 3000, restart)


def check_down(case):
    """The server is down for three seconds. Callers with a timeout of one second get a response or an error in time."""
    def stop_for_3_s():
        case.stop()
        time.sleep(3)
        case.server.start()
    run_through(case, 1000, stop_for_3_s)


def check_refused(case):
    """The server is down when the program sends its first request."""
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
    """An address that refuses connections. The port is bound, so that no other program can listen there."""
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # without IPv6, connections fail too
            stack.enter_context(socket.socket(family, socket.SOCK_STREAM)).bind((address, port))
        yield address


@contextlib.contextmanager
def silent(address, port):
    """An address that does not respond: the kernel drops connections because the listener's queue is full."""
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
    """The server has the last address of a list: of two addresses, and of more than a fixed array is likely to hold."""
    with contextlib.ExitStack() as stack:
        refused = [stack.enter_context(refusing(f'127.0.0.{i}', case.server.port)) for i in range(2, 22)]
        run_with_addresses(case, [refused[0], SERVER_ADDRESS])
        run_with_addresses(case, [*refused, SERVER_ADDRESS])


def check_ipv6_first(case):
    """Like "localhost" on Debian, whose /etc/hosts has a line "::1 localhost"."""
    with refusing('::1', case.server.port) as address:
        run_with_addresses(case, [address, SERVER_ADDRESS])


def check_silent_address(case):
    """An address that does not respond leaves time for the server's address."""
    with silent('127.0.0.2', case.server.port) as address:
        run_with_addresses(case, [address, SERVER_ADDRESS], connect_ms=400)


def check_idle_killed(case):
    """Broken idle connections are detected before a caller gets one."""
    # DB-14
    with case.client() as client:
        client.expect_all_connections()
        case.end_sessions()
        totals = client.run(1000, 5000)
        assert totals['failed'] == 0, f'{totals[""]} {client.notes}'
        now = client.statistics()
        assert now['created'] == 2 * CONNECTIONS and now['failed_checks'] == CONNECTIONS, now['']


def check_frozen(case):
    """The server accepts data and does not respond."""
    # POOL-10
    with case.client() as client:
        client.expect_all_connections()
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
    """Runs TRUEASYNC_TRANSACTIONS transactions (default 5000) with a kill every second."""
    count = int(os.environ.get('TRUEASYNC_TRANSACTIONS') or 5000)
    with case.client() as client:
        client.begin(count, 5000, 40_000 if count < 50_000 else 5000)
        every(1, client, case.kill)
        totals = client.finish()
        assert totals['begun'] == count, totals['']
