#!/usr/bin/env python3
"""nginx with one worker that answers hello, on a free port that is told as `PORT <number>`.

The process becomes nginx; a child of it looks until the port is open, tells it and ends.
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


def tell_when_open(port: int) -> None:
    for _ in range(1000):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            print(f"PORT {port}", flush=True)
            return
        except OSError:
            time.sleep(0.01)


def main() -> None:
    program, work = sys.argv[1:]
    if work != "serve-http":
        sys.exit(f"nginx has no {work}")
    port = free_port()
    folder = tempfile.mkdtemp(prefix="trueasync-nginx-")
    config = write_config(folder, HELLO.format(port=port))
    if os.fork() == 0:
        tell_when_open(port)
        shutil.rmtree(folder)  # nginx has it open; it is ended by a signal that lets it clean up nothing
        os._exit(0)
    os.execv(program, [program, "-e", f"{folder}/log", "-p", folder, "-c", config])


if __name__ == "__main__":
    main()
