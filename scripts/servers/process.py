"""A temporary server: a child process that never outlives this one, with a temporary folder."""
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
    """A context manager: the server runs inside the `with` block. The port is chosen once and kept across restarts."""

    user = ''  # the user that runs the server if this process is root; empty: root

    def __init__(self, prefix=()):
        """`prefix`: arguments before the command, e.g. taskset."""
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
        """Runs once, before the first start."""

    def command(self):
        raise NotImplementedError

    def answers(self):
        """Whether the server is ready."""
        raise NotImplementedError

    @property
    def pid(self):
        return self._process.pid

    def start(self):
        with open(os.path.join(self.folder, 'log'), 'ab') as log:
            self._process = subprocess.Popen([*self._prefix, *self.as_user(), *self.command()], stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, cwd=self.folder)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            if self.answers():
                return
            time.sleep(0.02)
        raise RuntimeError(f'{type(self).__name__} does not start: {self.log()}')

    def kill(self):
        """Kills the server without a shutdown."""
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
        """Arguments before a command that run it as `user` and kill it when this process ends."""
        words = ['setpriv', '--pdeathsig', 'KILL']
        if self._drops_root():
            user = pwd.getpwnam(self.user)
            words += [f'--reuid={user.pw_uid}', f'--regid={user.pw_gid}', '--clear-groups']
        return words
