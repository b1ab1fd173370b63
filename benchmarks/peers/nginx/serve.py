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

CONFIG = """
worker_processes 1;
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log crit;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  keepalive_requests 100000000;
  default_type text/plain;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{ return 200 "Hello, World!"; }}
  }}
}}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
    config = Path(folder) / "nginx.conf"
    config.write_text(CONFIG.format(folder=folder, port=port), encoding="ascii")
    if os.fork() == 0:
        tell_when_open(port)
        shutil.rmtree(folder)  # nginx has it open; it is ended by a signal that lets it clean up nothing
        os._exit(0)
    os.execv(program, [program, "-e", f"{folder}/error.log", "-p", folder, "-c", str(config)])


if __name__ == "__main__":
    main()
