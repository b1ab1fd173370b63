"""A temporary PostgreSQL server: new cluster in a temporary folder, on the loopback interface and a Unix socket."""
import glob
import os
import shutil
import signal
import subprocess

from process import Server


def program(name):
    """Debian installs these programs in a folder per version."""
    found = sorted(glob.glob(f'/usr/lib/postgresql/*/bin/{name}'), key=lambda path: int(path.split('/')[4]))
    return found[-1] if found else shutil.which(name)


class Postgres(Server):
    user = 'postgres'  # the server rejects root

    def __init__(self, prefix=(), **settings):
        super().__init__(prefix)
        self.data = os.path.join(self.folder, 'data')
        self.settings = {'fsync': 'off', 'shared_buffers': '16MB', 'max_connections': '40', 'autovacuum': 'off',
                         'log_min_messages': 'fatal', **settings}

    @staticmethod
    def is_installed():
        return program('postgres') is not None and program('initdb') is not None

    def prepare(self):
        command = [program('initdb'), '--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8',
                   '--locale=C', self.data]
        done = subprocess.run([*self.as_user(), *command], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f'initdb: {done.stderr.strip() or done.stdout.strip()}')

    def command(self):
        words = [program('postgres'), '-D', self.data, '-p', str(self.port), '-c', 'listen_addresses=127.0.0.1',
                 '-c', f'unix_socket_directories={self.folder}']
        for name, value in self.settings.items():
            words += ['-c', f'{name}={value}']
        return words

    def conninfo(self, **more):
        words = {'host': '127.0.0.1', 'port': self.port, 'user': 'postgres', 'dbname': 'postgres', 'sslmode': 'disable',
                 **more}
        return ' '.join(f'{name}={value}' for name, value in words.items())

    def answers(self):
        return self._psql('select 1').returncode == 0

    def sql(self, text):
        """Runs a statement as the superuser, whose connections are accepted even when no other user can connect. Returns
        the rows as text with '|' between the columns."""
        done = self._psql(text)
        if done.returncode != 0:
            raise RuntimeError(f'psql: {done.stderr.strip()}')
        return done.stdout.strip()

    def _psql(self, text):
        command = [program('psql'), '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', self.conninfo(connect_timeout=5), '-c', text]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    def shut_down(self):
        """Fast shutdown: ends the sessions and rolls back open transactions."""
        self.signal(signal.SIGINT)
        self.wait()

    def kill(self):
        """Immediate shutdown of the postmaster and its children. No process uses the folder after that."""
        if self._process:
            self.signal(signal.SIGQUIT)  # SIGKILL would leak shared memory
            self.wait()
