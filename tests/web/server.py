"""Runs the server under test, examples/http_server, on a free port and counts its descriptors."""
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import time

START_SECONDS = 20
SETTLE_SECONDS = 10


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Server:
    """A context manager: the server runs inside the `with` block. A test that stops the server checks its exit code."""

    def __init__(self, program, *options, stdout=subprocess.DEVNULL):
        self.port = free_port()
        self._process = subprocess.Popen([program, '--port', str(self.port), *options], stdin=subprocess.DEVNULL,
                                         stdout=stdout)

    def __enter__(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                self.connect().close()
                return self
            except OSError:
                time.sleep(0.02)
        self.__exit__()
        raise AssertionError('the server does not start')

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    @property
    def url(self):
        return f'http://127.0.0.1:{self.port}'

    @property
    def pid(self):
        return self._process.pid

    def connect(self):
        return socket.create_connection(('127.0.0.1', self.port), timeout=20)

    def exchange(self, data, shut=True):
        """Sends the data and returns the complete response."""
        with self.connect() as peer:
            peer.sendall(data)
            if shut:
                peer.shutdown(socket.SHUT_WR)
            return read_all(peer)

    def descriptors(self):
        return len(os.listdir(f'/proc/{self.pid}/fd'))

    def settled_descriptors(self):
        """The number of descriptors once it is stable; those of earlier clients are closed with a delay."""
        count, since = self.descriptors(), time.monotonic()
        while time.monotonic() - since < 0.3:
            time.sleep(0.02)
            if self.descriptors() != count:
                count, since = self.descriptors(), time.monotonic()
        return count

    def wait_for_descriptors(self, count):
        """Waits until `count` descriptors are open or a timeout expires, because connections are closed with a delay. Returns
        the number of open descriptors."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while self.descriptors() != count and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.descriptors()

    def terminate(self):
        self._process.send_signal(signal.SIGTERM)

    def wait(self):
        return self._process.wait(timeout=30)


def read_all(peer):
    data = b''
    while part := peer.recv(65536):
        data += part
    return data


def make_certificate(folder):
    """Creates a CA and a certificate for localhost. Returns (CA file, certificate file, key file)."""
    folder = pathlib.Path(folder)
    names = [str(folder / name) for name in ('ca.pem', 'ca.key', 'server.pem', 'server.key', 'server.csr')]
    ca, ca_key, certificate, key, request = names
    extension = folder / 'names.cnf'
    extension.write_text('subjectAltName=DNS:localhost,IP:127.0.0.1\n', encoding='ascii')
    new_key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    for command in (['req', '-x509', *new_key, '-keyout', ca_key, '-out', ca, '-subj', '/CN=Test CA', '-days', '2'],
                    ['req', *new_key, '-keyout', key, '-out', request, '-subj', '/CN=localhost'],
                    ['x509', '-req', '-in', request, '-CA', ca, '-CAkey', ca_key, '-CAcreateserial',
                     '-out', certificate, '-days', '2', '-extfile', str(extension)]):
        subprocess.run(['openssl', *command], check=True, capture_output=True)
    return ca, certificate, key


def tls_connect(server, ca):
    context = ssl.create_default_context(cafile=ca)
    return context.wrap_socket(server.connect(), server_hostname='localhost')
