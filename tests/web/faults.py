"""Faulty clients: slow, half-open, resetting, sending garbage. The server must keep running and leak no descriptor."""
import os
import random
import socket
import struct
import threading
import time

from server import Server, read_all, tls_connect

REQUEST = b'POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nhello world'
PIECES = [b'GET ', b'/ ', b'HTTP/1.1\r\n', b'Host: h\r\n', b'\r\n', b'Content-Length: ', b'\x00', b'-1\r\n', b'0\r\n\r\n',
          b'Transfer-Encoding: chunked\r\n', b'ffffffffffffffffff\r\n', b'Expect: 100-continue\r\n',
          b'Connection: close\r\n']
ROUNDS = 150


def reset(peer):
    """Closes the connection with a reset."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    peer.close()


def expect_alive(server):
    answer = server.exchange(REQUEST)
    assert answer.startswith(b'HTTP/1.1 200 OK') and answer.endswith(b'hello world'), answer


def check_resets(server):
    """Reset after every byte of a request, and during the response."""
    for cut in range(len(REQUEST) + 1):
        peer = server.connect()
        peer.sendall(REQUEST[:cut])
        reset(peer)
    for _ in range(10):
        peer = server.connect()
        peer.sendall(b'GET /large?30000000 HTTP/1.1\r\nHost: h\r\n\r\n')
        peer.recv(1000)
        reset(peer)
    expect_alive(server)


def check_half_closed(server):
    """A half-closed client gets the response to a complete request, and nothing for an incomplete one."""
    assert server.exchange(REQUEST).endswith(b'hello world')
    assert server.exchange(REQUEST[:-1]) == b''
    assert server.exchange(b'') == b''
    two = server.exchange(REQUEST + REQUEST)
    assert two.count(b'hello world') == 2, two


def check_half_open(program):
    """The server closes an idle connection after the idle timeout."""
    with Server(program, '--idle-ms', '200') as server:
        before = server.settled_descriptors()
        silent = [server.connect() for _ in range(50)]
        assert all(read_all(peer) == b'' for peer in silent), 'an idle connection must be closed without a response'
        assert server.wait_for_descriptors(before) == before
        for peer in silent:
            peer.close()
        expect_alive(server)


def check_slowloris(program):
    """Occasional bytes do not keep a connection open: the whole request has a timeout."""
    with Server(program, '--request-ms', '400', '--idle-ms', '60000') as server:
        before = server.settled_descriptors()
        slow = [server.connect() for _ in range(30)]
        started = time.monotonic()
        closed = False
        for byte in b'GET / HTTP/1.1\r\n' + b'X: ' + b'y' * 300:
            try:
                for peer in slow:
                    peer.sendall(bytes([byte]))
            except OSError:
                closed = True
                break
            time.sleep(0.05)
            if time.monotonic() - started > 15:
                break
        assert closed, 'the server did not close a slow request'
        expect_alive(server)
        answers = [read_quietly(peer) for peer in slow]
        assert any(b'408 Request Timeout' in answer for answer in answers), answers[0]
        for peer in slow:
            peer.close()
        assert server.wait_for_descriptors(before) == before


def read_quietly(peer):
    try:
        return peer.recv(1000)
    except OSError:
        return b''


def random_bytes(generator):
    if generator.random() < 0.3:
        return generator.randbytes(generator.randrange(1, 3000))
    data = bytearray(REQUEST if generator.random() < 0.5 else b''.join(generator.choices(PIECES, k=20)))
    for _ in range(generator.randrange(4)):
        data[generator.randrange(len(data))] = generator.randrange(256)
    return bytes(data) * generator.randrange(1, 4)


def check_random_bytes(server, seed):
    generator = random.Random(seed)
    for _ in range(ROUNDS):
        peer = server.connect()
        try:
            peer.sendall(random_bytes(generator))
            if generator.random() < 0.3:
                reset(peer)
                continue
            peer.shutdown(socket.SHUT_WR)
            read_all(peer)
        except OSError:
            pass  # the server rejected it
        peer.close()
    expect_alive(server)


def check_random_bytes_in_tls(server, ca, seed):
    generator = random.Random(seed)
    for number in range(40):
        peer = tls_connect(server, ca) if number % 2 else server.connect()
        try:
            peer.sendall(random_bytes(generator))
            reset(peer)
        except OSError:
            peer.close()
    with tls_connect(server, ca) as peer:
        peer.sendall(REQUEST)
        assert peer.recv(1000).startswith(b'HTTP/1.1 200 OK')


def check_drain(program):
    """After SIGTERM, the server completes its requests, closes idle connections, refuses new ones and exits with 0."""
    with Server(program) as server:
        idle = [server.connect() for _ in range(20)]
        for peer in idle:
            peer.sendall(REQUEST)
            assert b'200 OK' in peer.recv(1000)
        answers = []
        slow = [server.connect() for _ in range(20)]
        for peer in slow:
            peer.sendall(b'GET /slow?700 HTTP/1.1\r\nHost: h\r\n\r\n')
        half = server.connect()
        half.sendall(REQUEST[:-5])
        time.sleep(0.2)
        readers = [threading.Thread(target=lambda p=peer: answers.append(read_all(p))) for peer in slow]
        for reader in readers:
            reader.start()
        server.terminate()
        time.sleep(0.1)
        half.sendall(REQUEST[-5:])
        half_answer = read_all(half)
        assert b'hello world' in half_answer and b'Connection: close' in half_answer, half_answer
        assert all(read_all(peer) == b'' for peer in idle)
        try:
            server.connect().close()
            raise AssertionError('a draining server accepted a new connection')
        except ConnectionError:
            pass
        for reader in readers:
            reader.join()
        assert len(answers) == 20 and all(b'delayed' in answer for answer in answers), answers
        assert server.wait() == 0


def check_closed_output(program):
    """A closed or full standard output does not stop the server."""
    reading, writing = os.pipe()
    os.close(reading)
    for output in (writing, os.open('/dev/full', os.O_WRONLY)):
        with Server(program, stdout=output) as server:
            os.close(output)
            expect_alive(server)
            server.terminate()
            assert server.wait() == 0, 'the exit code is not 0 without standard output'
