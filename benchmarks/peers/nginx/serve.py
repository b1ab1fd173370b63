#!/usr/bin/env python3
"""nginx with one worker that answers hello, on a free port that is told as `PORT <number>`.

The listening socket is made here and handed over by the NGINX variable, as nginx does it for its own upgrades: so the
port is free and open before the load comes. The process becomes nginx.
"""

import os
import socket
import sys
import tempfile
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


def main() -> None:
    program, work = sys.argv[1:]
    if work != "serve-http":
        sys.exit(f"nginx has no {work}")
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(4096)
    listener.set_inheritable(True)
    folder = tempfile.mkdtemp(prefix="trueasync-nginx-")
    config = Path(folder) / "nginx.conf"
    config.write_text(CONFIG.format(folder=folder, port=listener.getsockname()[1]), encoding="ascii")
    print(f"PORT {listener.getsockname()[1]}", flush=True)
    environment = {**os.environ, "NGINX": f"{listener.fileno()};"}
    os.execve(program, [program, "-e", f"{folder}/error.log", "-p", folder, "-c", str(config)], environment)


if __name__ == "__main__":
    main()
