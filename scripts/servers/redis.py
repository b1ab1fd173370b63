"""A temporary Redis server without persistence, on the loopback interface and a Unix socket."""
import os
import shutil
import socket

from process import Server


class Redis(Server):
    def __init__(self, prefix=(), **options):
        super().__init__(prefix)
        self.socket = os.path.join(self.folder, 'socket')
        self.options = options

    @staticmethod
    def is_installed():
        return shutil.which('redis-server') is not None

    def command(self):
        words = ['redis-server', '--bind', '127.0.0.1', '--port', str(self.port), '--save', '', '--appendonly', 'no',
                 '--dir', self.folder, '--unixsocket', self.socket]
        for name, value in self.options.items():
            words += [f'--{name}', str(value)]
        return words

    def answers(self):
        try:
            return self.ask('PING').startswith('+PONG')
        except OSError:
            return False

    def ask(self, command):
        """Sends one command and returns the first part of the response."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=5) as peer:
            peer.sendall(command.encode() + b'\r\n')
            return peer.recv(65536).decode(errors='replace')
