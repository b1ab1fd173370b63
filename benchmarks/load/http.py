#!/usr/bin/env python3
"""Load generator of the HTTP workloads: runs wrk and measures the server's CPU time.

usage: http.py WRK PORT CONNECTIONS MILLISECONDS SERVER_PID rate|cpu
Prints `RESULT <requests per second>`, or `RESULT <microseconds of the server's CPU per request>`, and a NOTE.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

WARM_UP = "1s"


def cpu_seconds(pid: str) -> float:
    """User and system time of a process. Fields are counted after the last ')', because the process name may contain
    any character."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wrk(program: str, port: str, connections: str, duration: str) -> tuple[int, float]:
    """(number of requests, requests per second)."""
    command = [program, "-t1", f"-c{connections}", f"-d{duration}", f"http://127.0.0.1:{port}/"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    done = re.search(r"(\d+) requests in ([\d.]+)(ms|s|m),", output)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    if not done or not rate or int(done[1]) == 0:
        sys.exit(f"wrk: no responses: {output.strip()}")
    errors = re.search(r"Non-2xx.*|Socket errors.*", output)
    if errors and not re.search(r"connect 0, read 0, write 0", errors[0]):
        sys.exit(errors[0].strip())
    return int(done[1]), float(rate[1])


def main() -> None:
    program, port, connections, milliseconds, pid, what = sys.argv[1:]
    seconds = f"{max(1, round(int(milliseconds) / 1000))}s"
    wrk(program, port, connections, WARM_UP)
    before = cpu_seconds(pid)
    requests, rate = wrk(program, port, connections, seconds)
    cpu = (cpu_seconds(pid) - before) / requests * 1e6
    print(f"NOTE {rate:,.0f} requests/s, {cpu:.2f} µs CPU per request")
    print(f"RESULT {rate if what == 'rate' else cpu:.3f}")


if __name__ == "__main__":
    main()
