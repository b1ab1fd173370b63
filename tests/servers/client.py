"""Drives the program under test, tests/servers/client, which loads an extension and executes commands from stdin."""
import contextlib
import os
import queue
import re
import subprocess
import threading
import time

CONNECTIONS = 8
LINE_SECONDS = 120
SEVERAL_HOST = 'several.test'  # its addresses are set by the environment; see client/resolver.c
MAX_STALL_SECONDS = 2  # the whole program may stall this long while other programs use the processor


def numbers(line):
    return {name: int(value) for name, value in re.findall(r'(\w+)=(-?\d+)', line)}


class Client:
    """A context manager: the program runs inside the `with` block."""

    def __init__(self, program, kind, extension, target, connect_ms=1000, healthcheck_ms=0, addresses=()):
        command = [program, kind, extension, target, str(connect_ms), str(healthcheck_ms)]
        environment = {**os.environ, 'TRUEASYNC_TEST_ADDRESSES': ','.join(addresses)}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         env=environment)
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.notes = []  # failure messages
        self.descriptors = 0

    def __enter__(self):
        self.descriptors = self.wait_for('ready')['descriptors']
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip())
        self._lines.put(None)

    def send(self, *words):
        self._process.stdin.write(' '.join(str(word) for word in words) + '\n')
        self._process.stdin.flush()

    def wait_for(self, word):
        """The numbers of the next line that starts with `word`."""
        while True:
            line = self._lines.get(timeout=LINE_SECONDS)
            assert line is not None, f'the program exited with {self._process.wait()} before a line "{word}"'
            if line.startswith(word):
                return {**numbers(line), '': line}
            self.notes.append(line)

    def begin(self, count, timeout_ms, pause_us=0):
        self.send('run', count, timeout_ms, pause_us)

    def is_done(self):
        return any(line and line.startswith('done') for line in list(self._lines.queue))

    def finish(self):
        """Waits for the transactions and returns their counts. None may be lost, wrong or late."""
        totals = self.wait_for('done')
        text = f'{totals[""]} {self.notes}'
        assert totals['begun'] == totals['right'] + totals['wrong'] + totals['failed'], f'lost transactions: {text}'
        assert totals['wrong'] == 0, f'wrong responses: {text}'
        assert totals['late'] == 0, f'transactions exceeded their timeout: {text}'
        assert totals['stall_us'] < MAX_STALL_SECONDS * 1e6, f'the program stalled: {text}'
        return totals

    def run(self, *arguments):
        self.begin(*arguments)
        return self.finish()

    def expect_contract(self):
        self.send('contract')
        line = self.wait_for('contract')['']
        assert line == 'contract ok', line

    def statistics(self):
        self.send('statistics')
        return balanced(self.wait_for('statistics'))

    def count_connections(self, timeout_ms=8000):
        """The number of connections that can be held at the same time."""
        self.send('connections', timeout_ms)
        return int(self.wait_for('connections')[''].split()[1])

    def expect_all_connections(self):
        count = self.count_connections()
        assert count == CONNECTIONS, f'only {count} connections: {self.notes}'
        now = self.statistics()
        deadline = time.monotonic() + 5
        while now['active'] != 0 and time.monotonic() < deadline:  # a health check holds a connection for a moment
            now = self.statistics()
        assert now['idle'] == now['total'] == CONNECTIONS and now['waiting'] == now['creating'] == 0, now['']

    def close(self):
        """Ends the program. It must not leak a resource, a descriptor or a coroutine."""
        self.send('close')
        now = balanced(self.wait_for('statistics'))
        assert now['total'] == 0 and now['created'] == now['destroyed'] and now['leaks'] == 0, now['']
        assert now['descriptors'] == self.descriptors, f'{self.descriptors} descriptors before; {now[""]}'
        self._process.stdin.close()
        code = self._process.wait(timeout=30)
        assert code == 0, f'the program exited with {code}'


def balanced(now):
    assert now['created'] - now['destroyed'] == now['total'] == now['idle'] + now['active'], now['']
    return now


@contextlib.contextmanager
def expect_recovery(client):
    """After the block, the pool must have all connections, run transactions without failures and close without leaks."""
    with client:
        yield client
        client.expect_all_connections()
        totals = client.run(300, 5000)
        assert totals['failed'] == 0, f'{totals[""]} {client.notes}'
        client.close()


def every(seconds, client, action):
    """Repeats `action` until the transactions are done. Returns the number of repetitions."""
    count = 0
    while not client.is_done():
        time.sleep(seconds)
        if not client.is_done():
            action(count)
            count += 1
    return count
