"""Tests of the server with real tools: curl, nc, wrk, openssl s_client."""
import re
import subprocess
import tempfile

from server import Server, make_certificate

CURL = ('curl', '--disable', '--silent')  # --disable: ignore ~/.curlrc


def run(*command, data=None, timeout=60):
    done = subprocess.run(command, input=data, capture_output=True, timeout=timeout, check=False)
    return done.returncode, done.stdout


def curl(*arguments, **options):
    code, output = run(*CURL, '--show-error', '--max-time', '30', *arguments, **options)
    assert code == 0, f'curl exited with {code}'
    return output


def check_curl(server):
    assert curl(server.url + '/') == b'Hello, World!'
    head = curl('--head', server.url + '/')
    assert b'200 OK' in head and b'Content-Length: 13' in head, head
    assert b'Date: ' in head
    status = ('--output', '/dev/null', '--write-out', '%{http_code} %{num_connects}\n')
    assert curl(*status, server.url + '/nowhere').startswith(b'404')
    assert curl(*status, server.url + '/broken').startswith(b'500')


def check_keep_alive(server):
    counts = curl('--write-out', '%{num_connects}\n', '--output', '/dev/null', server.url + '/', '--next', '--silent',
                  '--write-out', '%{num_connects}\n', '--output', '/dev/null', server.url + '/').split()
    assert counts == [b'1', b'0'], f'the second request did not reuse the connection: {counts}'
    assert b'Connection: close' in curl('--include', '--http1.0', server.url + '/')


def check_bodies(server):
    large = curl(server.url + '/large?20000000')
    assert len(large) == 20_000_000 and large.strip(b'x') == b''
    body = bytes(range(256)) * 2000
    for extra in ((), ('--header', 'Transfer-Encoding: chunked'), ('--header', 'Expect: 100-continue')):
        assert curl('--data-binary', '@-', *extra, server.url + '/echo', data=body) == body, f'with {extra}'
    too_large = curl('--data-binary', '@-', '--include', '--header', 'Expect:', server.url + '/echo',
                     data=b'x' * 2_000_000)
    assert b'413 Content Too Large' in too_large, too_large[:100]


def check_pipelining(server):
    request = b'GET / HTTP/1.1\r\nHost: h\r\n\r\n'
    last = b'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    _, output = run('nc', '127.0.0.1', str(server.port), data=request * 199 + last)
    assert output.count(b'HTTP/1.1 200 OK') == 200 and output.count(b'Hello, World!') == 200, output[:200]


def check_wrk(server):
    code, output = run('wrk', '-t1', '-c32', '-d1s', server.url + '/')
    text = output.decode()
    assert code == 0 and 'Non-2xx' not in text and 'Socket errors' not in text, text
    assert int(re.search(r'(\d+) requests in', text)[1]) > 100, text


def check_tls(program):
    with tempfile.TemporaryDirectory() as folder:
        ca, certificate, key = make_certificate(folder)
        with Server(program, '--certificate', certificate, '--key', key) as server:
            before = server.settled_descriptors()
            url = f'https://localhost:{server.port}'
            assert curl('--cacert', ca, url + '/') == b'Hello, World!'
            assert len(curl('--cacert', ca, url + '/large?3000000')) == 3_000_000
            body = bytes(range(256)) * 3000
            assert curl('--cacert', ca, '--data-binary', '@-', url + '/echo', data=body) == body
            code, _ = run(*CURL, url + '/')
            assert code == 60, f'curl must reject an unknown CA with exit code 60 (got {code})'
            assert run(*CURL, f'http://localhost:{server.port}/')[0] != 0, 'plain HTTP succeeded on a TLS port'
            check_s_client(server, ca)
            assert server.wait_for_descriptors(before) == before, 'descriptor leak'


def check_s_client(server, ca):
    """With -ign_eof, s_client waits for the end of the stream, which must be a close_notify."""
    request = b'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    for version in ('-tls1_2', '-tls1_3'):
        command = ('openssl', 's_client', '-connect', f'127.0.0.1:{server.port}', '-CAfile', ca, '-verify_return_error',
                   '-verify_hostname', 'localhost', '-ign_eof', '-quiet', version)
        code, output = run(*command, data=request)
        assert code == 0 and b'Hello, World!' in output, (version, code, output[-300:])
