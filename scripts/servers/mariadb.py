"""A temporary MariaDB server: new data directory in a temporary folder, on the loopback interface and a Unix socket."""
import os
import shutil
import signal
import subprocess

from process import Server


def program(*names):
    """Debian installs the server in /usr/sbin, which is not in the PATH of an ordinary user."""
    for name in names:
        found = shutil.which(name, path=os.environ.get('PATH', '') + ':/usr/sbin')
        if found:
            return found
    return None


class MariaDb(Server):
    user = 'mysql'  # the server rejects root

    def __init__(self, prefix=(), **settings):
        super().__init__(prefix)
        self.data = os.path.join(self.folder, 'data')
        self.socket = os.path.join(self.folder, 'socket')
        self.settings = {'max_connections': '40', 'innodb_buffer_pool_size': '16M', 'innodb_log_file_size': '8M',
                         'innodb_flush_log_at_trx_commit': '0', 'performance_schema': 'OFF', **settings}

    @staticmethod
    def is_installed():
        return program('mariadbd', 'mysqld') is not None and program('mariadb-install-db') is not None

    def prepare(self):
        command = [program('mariadb-install-db'), '--no-defaults', f'--datadir={self.data}', '--skip-test-db',
                   '--auth-root-authentication-method=normal', '--innodb-log-file-size=8M']
        done = subprocess.run([*self.as_user(), *command], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f'mariadb-install-db: {done.stderr.strip() or done.stdout.strip()}')

    def command(self):
        words = [program('mariadbd', 'mysqld'), '--no-defaults', f'--datadir={self.data}', f'--port={self.port}',
                 '--bind-address=127.0.0.1', f'--socket={self.socket}', f'--pid-file={self.folder}/pid']
        return words + [f'--{name}={value}' for name, value in self.settings.items()]

    def start(self):
        super().start()
        self.sql("create database if not exists test; create user if not exists test@'127.0.0.1' identified by 'secret';"
                 "grant all on *.* to test@'127.0.0.1'")

    def answers(self):
        return self._client('select 1').returncode == 0

    def sql(self, text):
        """Runs a statement as root. Returns the rows as text with tab-separated columns."""
        done = self._client(text)
        if done.returncode != 0:
            raise RuntimeError(f'mariadb: {done.stderr.strip()}')
        return done.stdout.strip()

    def _client(self, text):
        command = [program('mariadb', 'mysql'), '--no-defaults', '--user=root', f'--socket={self.socket}', '--batch',
                   '--skip-column-names', '--execute', text]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    def shut_down(self):
        self.signal(signal.SIGTERM)
        self.wait()
