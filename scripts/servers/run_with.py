#!/usr/bin/env python3
"""usage: run_with.py COMMAND...
Starts PostgreSQL, MariaDB, Redis and nginx with TLS, runs COMMAND and stops the servers. Each server has a temporary folder
and listens on the loopback interface. Servers that are not installed are omitted. COMMAND gets these variables:
  TRUEASYNC_PGSQL_DSN, _USER, _PASSWORD, _CONNINFO (for libpq)
  TRUEASYNC_MYSQL_DSN, _USER, _PASSWORD, _HOST, _PORT
  TRUEASYNC_REDIS_HOST, _PORT
  TRUEASYNC_HTTPS_URL, _CERTIFICATE (the CA file)
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import mariadb  # noqa: E402  pylint: disable=wrong-import-position
import nginx  # noqa: E402  pylint: disable=wrong-import-position
import postgres  # noqa: E402  pylint: disable=wrong-import-position
import redis  # noqa: E402  pylint: disable=wrong-import-position


def describe_postgres(server):
    return {'PGSQL_DSN': f'pgsql:host=127.0.0.1;port={server.port};dbname=postgres;sslmode=disable',
            'PGSQL_USER': 'postgres', 'PGSQL_PASSWORD': '', 'PGSQL_CONNINFO': server.conninfo()}


def describe_mariadb(server):
    return {'MYSQL_DSN': f'mysql:host=127.0.0.1;port={server.port};dbname=test', 'MYSQL_USER': 'test',
            'MYSQL_PASSWORD': 'secret', 'MYSQL_HOST': '127.0.0.1', 'MYSQL_PORT': server.port}


def describe_redis(server):
    return {'REDIS_HOST': '127.0.0.1', 'REDIS_PORT': server.port}


def describe_nginx(server):
    return {'HTTPS_URL': f'https://localhost:{server.port}', 'HTTPS_CERTIFICATE': server.certificate}


SERVERS = ((postgres.Postgres, describe_postgres), (mariadb.MariaDb, describe_mariadb), (redis.Redis, describe_redis),
           (nginx.Nginx, describe_nginx))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # stops the servers
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    environment = dict(os.environ)
    with contextlib.ExitStack() as running:
        for kind, describe in SERVERS:
            if not kind.is_installed():
                print(f'note: {kind.__name__} is not installed')
                continue
            server = running.enter_context(kind())
            environment.update({f'TRUEASYNC_{name}': str(value) for name, value in describe(server).items()})
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
