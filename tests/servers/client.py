"""The program under test, tests/servers/client: a coroutine runtime with an extension loaded. Talks by lines."""
import contextlib
import os
import queue
import re
import subprocess
import threading
import time

CONNECTIONS = 8
LINE_SECONDS = 120
SEVERAL_HOST = 'several.test'  # the addresses of this name are an option of the client: see client/resolver.c
STALL_SECONDS = 2  # the whole program may stand still for that long: other programs need the processor, too


def numbers(line):
    return {name: int(value) for name, value in re.findall(r'(\w+)=(-?\d+)', line)}


class Client:
    """Runs while the `with` block does."""

    def __init__(self, program, kind, extension, target, connect_ms=1000, healthcheck_ms=0, addresses=()):
        command = [program, kind, extension, target, str(connect_ms), str(healthcheck_ms)]
        environment = {**os.environ, 'TRUEASYNC_TEST_ADDRESSES': ','.join(addresses)}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         env=environment)
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.notes = []  # texts of failures
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

    def say(self, *words):
        self._process.stdin.write(' '.join(str(word) for word in words) + '\n')
        self._process.stdin.flush()

    def wait_for(self, word):
        """The numbers of the next line that begins with it."""
        while True:
            line = self._lines.get(timeout=LINE_SECONDS)
            assert line is not None, f'the program ended with {self._process.wait()}, before a line "{word}"'
            if line.startswith(word):
                return {**numbers(line), '': line}
            self.notes.append(line)

    def begin(self, count, limit_ms, pause_us=0):
        self.say('run', count, limit_ms, pause_us)

    def is_done(self):
        return any(line and line.startswith('done') for line in list(self._lines.queue))

    def finish(self):
        """How the transactions ended: each once, none wrong, none late."""
        totals = self.wait_for('done')
        text = f'{totals[""]} {self.notes}'
        assert totals['begun'] == totals['right'] + totals['wrong'] + totals['failed'], f'some are lost: {text}'
        assert totals['wrong'] == 0, f'wrong answers: {text}'
        assert totals['late'] == 0, f'somebody waited past the limit: {text}'
        assert totals['stall_us'] < STALL_SECONDS * 1e6, f'something held up everybody: {text}'
        return totals

    def run(self, *arguments):
        self.begin(*arguments)
        return self.finish()

    def expect_manners(self):
        self.say('manners')
        line = self.wait_for('manners')['']
        assert line == 'manners fine', line

    def statistics(self):
        self.say('statistics')
        return balanced(self.wait_for('statistics'))

    def strength(self, limit_ms=8000):
        """How many connections the pool has when all are taken at once."""
        self.say('strength', limit_ms)
        return int(self.wait_for('strength')[''].split()[1])

    def expect_full_strength(self):
        strength = self.strength()
        assert strength == CONNECTIONS, f'only {strength} connections: {self.notes}'
        now = self.statistics()
        assert now['idle'] == now['total'] == CONNECTIONS and now['waiting'] == now['creating'] == 0, now['']

    def close(self):
        """Ends the program. Nothing is left: no resource, no descriptor, no coroutine."""
        self.say('close')
        now = balanced(self.wait_for('statistics'))
        assert now['total'] == 0 and now['created'] == now['destroyed'] and now['leaks'] == 0, now['']
        assert now['descriptors'] == self.descriptors, f'{self.descriptors} descriptors before; {now[""]}'
        self._process.stdin.close()
        code = self._process.wait(timeout=30)
        assert code == 0, f'the program ended with {code}'


def balanced(now):
    assert now['created'] - now['destroyed'] == now['total'] == now['idle'] + now['active'], now['']
    return now


@contextlib.contextmanager
def healthy_in_the_end(client):
    """Whatever happened to the server meanwhile: the pool is back at full strength, works, and ends with nothing left."""
    with client:
        yield client
        client.expect_full_strength()
        totals = client.run(300, 5000)
        assert totals['failed'] == 0, f'{totals[""]} {client.notes}'
        client.close()


def every(seconds, client, action):
    """Does it again and again until the transactions are done. Returns how often."""
    count = 0
    while not client.is_done():
        time.sleep(seconds)
        if not client.is_done():
            action(count)
            count += 1
    return count
