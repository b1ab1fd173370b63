"""A server of ours: a process that ends with us, whatever happens, in a folder that goes with it."""
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time

START_SECONDS = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Server:
    """Runs while the `with` block does. The port is free when it starts, and stays the same over restarts."""

    user = ''  # whom it runs as when we are root; empty: root

    def __init__(self, prefix=()):
        """`prefix`: words before its command, taskset for instance."""
        self.port = free_port()
        self._prefix = list(prefix)
        self._process = None
        self.folder = tempfile.mkdtemp(prefix='trueasync-server-')

    def __enter__(self):
        try:
            if self._drops_root():
                shutil.chown(self.folder, self.user, pwd.getpwnam(self.user).pw_gid)
            self.prepare()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def prepare(self):
        """Once, before the first start."""

    def command(self):
        raise NotImplementedError

    def answers(self):
        """Whether it is ready."""
        raise NotImplementedError

    @property
    def pid(self):
        return self._process.pid

    def start(self):
        with open(os.path.join(self.folder, 'log'), 'ab') as log:
            self._process = subprocess.Popen([*self._prefix, *self.as_user(), *self.command()], stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, cwd=self.folder)
        limit = time.monotonic() + START_SECONDS
        while time.monotonic() < limit and self._process.poll() is None:
            if self.answers():
                return
            time.sleep(0.02)
        raise RuntimeError(f'{type(self).__name__} does not start: {self.log()}')

    def kill(self):
        """At once, without a word to anybody."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def signal(self, number):
        self._process.send_signal(number)

    def wait(self):
        self._process.wait(timeout=START_SECONDS)
        self._process = None

    def log(self):
        with open(os.path.join(self.folder, 'log'), encoding='utf-8', errors='replace') as log:
            return log.read()[-600:]

    def _drops_root(self):
        return bool(self.user) and os.getuid() == 0

    def as_user(self):
        """The words that make a command its user's, and let it end with us."""
        words = ['setpriv', '--pdeathsig', 'KILL']
        if self._drops_root():
            user = pwd.getpwnam(self.user)
            words += [f'--reuid={user.pw_uid}', f'--regid={user.pw_gid}', '--clear-groups']
        return words
