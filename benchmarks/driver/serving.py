"""Workloads whose program is a server. It runs pinned to one core, the load generator runs on another core."""

import os
import selectors
import subprocess
from pathlib import Path

START_SECONDS = 15


class ServeError(Exception):
    """The server or the load generator failed; the message is the reason."""


def cores() -> tuple[int, int]:
    """The core of the server and that of the load generator; the same one if the machine has only one."""
    available = sorted(os.sched_getaffinity(0))
    return available[-1], available[0]


class Server:
    """A server process that prints its port in a line `PORT <number>`. It is killed at the end of the `with` block."""

    def __init__(self, command: list[str], environment: dict[str, str]):
        self._process = subprocess.Popen(["taskset", "-c", str(cores()[0]), *command], env={**os.environ, **environment},
                                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.port = 0

    def __enter__(self) -> "Server":
        try:
            self.port = self._wait_for_port()
        except BaseException:
            self._kill()
            raise
        return self

    def __exit__(self, *_) -> None:
        self._kill()

    @property
    def pid(self) -> int:
        """The pid of the server, because taskset execs it."""
        return self._process.pid

    def resident_bytes(self) -> int:
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def _wait_for_port(self) -> int:
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(START_SECONDS):
                raise ServeError(f"server printed no port within {START_SECONDS} s")
        line = self._process.stdout.readline().decode(errors="replace")
        if not line.startswith("PORT "):
            self._process.kill()
            errors = self._process.communicate()[1].decode(errors="replace").strip().splitlines()
            raise ServeError(errors[-1] if errors else "server exited without a message")
        return int(line.split()[1])

    def _kill(self) -> None:
        self._process.kill()
        self._process.communicate()


def run_load(server: Server, load: list[str], timeout: float) -> str:
    """Runs a load generator on the other core and returns its output. `{port}` and `{pid}` in its arguments are replaced by
    those of the server."""
    words = [word.format(port=server.port, pid=server.pid) for word in load]
    try:
        run = subprocess.run(["taskset", "-c", str(cores()[1]), *words], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise ServeError(f"load generator timed out after {timeout:g} s") from error
    if run.returncode != 0:
        lines = [line for line in run.stderr.splitlines() if line.strip()]
        raise ServeError("load generator: " + (lines[-1].strip() if lines else f"exit code {run.returncode}"))
    return run.stdout
