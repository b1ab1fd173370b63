"""The servers of workloads that need one: started once per workload, on the core that the programs do not have."""

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
    """The server could not be started; the text says why."""


@contextlib.contextmanager
def database(name: str) -> Iterator[dict[str, str]]:
    """What the programs get in their environment: DATABASE says where it is. Nothing without a name."""
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
