#!/usr/bin/env python3
"""usage: main.py REDIS_BENCHMARK redis
Runs GET N times with redis-benchmark, 8 clients and 16 pipelined commands, on the server in DATABASE. Prints `RESULT
<commands per second>`.
"""

import os
import re
import subprocess
import sys

CLIENTS = 8
PIPELINED = 16


def main() -> None:
    command = [sys.argv[1], "-h", "127.0.0.1", "-p", os.environ["DATABASE"], "-c", str(CLIENTS), "-P", str(PIPELINED)]
    subprocess.run([*command, "-n", "1000", "-t", "set"], capture_output=True, check=True)  # creates the key
    output = subprocess.run([*command, "-n", os.environ["N"], "-t", "get", "--csv"], capture_output=True, text=True,
                            check=True).stdout
    rate = re.search(r'^"GET","([\d.]+)"', output, re.MULTILINE)
    if not rate:
        sys.exit(f"redis-benchmark: {output.strip()}")
    print(f"RESULT {rate[1]}")


if __name__ == "__main__":
    main()
