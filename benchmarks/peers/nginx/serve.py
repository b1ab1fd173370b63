#!/usr/bin/env python3
"""Runs nginx with one worker that responds with "Hello, World!" on a free port. Prints `PORT <number>`.

The process execs nginx. A child process waits until the port is open, prints it and exits.
"""

import os
import shutil
import socket
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts" / "servers"))

from nginx import write_config  # noqa: E402  pylint: disable=wrong-import-position
from process import free_port  # noqa: E402  pylint: disable=wrong-import-position

HELLO = """
  keepalive_requests 100000000;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{ return 200 "Hello, World!"; }}
  }}
"""


def report_when_open(port: int) -> None:
    for _ in range(1000):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            print(f"PORT {port}", flush=True)
            return
        except OSError:
            time.sleep(0.01)


def main() -> None:
    program, workload = sys.argv[1:]
    if workload != "serve-http":
        sys.exit(f"nginx: unknown workload {workload}")
    port = free_port()
    folder = tempfile.mkdtemp(prefix="trueasync-nginx-")
    config = write_config(folder, HELLO.format(port=port))
    if os.fork() == 0:
        report_when_open(port)
        shutil.rmtree(folder)  # nginx has opened its files and is later killed without cleanup
        os._exit(0)
    os.execv(program, [program, "-e", f"{folder}/log", "-p", folder, "-c", config])


if __name__ == "__main__":
    main()
