"""Database servers of the workloads that need one. Started once per workload, on a core that the programs do not use."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from serving import cores

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "servers"))

from postgres import Postgres  # noqa: E402  pylint: disable=wrong-import-position
from redis import Redis  # noqa: E402  pylint: disable=wrong-import-position

SERVERS = {"postgres": Postgres, "redis": Redis}


class DatabaseError(Exception):
    """The server could not be started; the message is the reason."""


@contextlib.contextmanager
def database(name: str) -> Iterator[dict[str, str]]:
    """Starts a server and yields the environment of the programs: DATABASE is the server's address. An empty name starts no
    server."""
    if not name:
        yield {}
        return
    if not SERVERS[name].is_installed():
        raise DatabaseError(f"{name} is not installed")
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(SERVERS[name](["taskset", "-c", str(cores()[1])]))
        except (OSError, RuntimeError) as error:
            raise DatabaseError(str(error)) from error
        yield {"DATABASE": server.conninfo() if isinstance(server, Postgres) else str(server.port)}
