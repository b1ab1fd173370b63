#!/usr/bin/env python3
"""usage: main.py PGBENCH pg
Runs `select 1` N times with pgbench, 8 clients and one thread, on the server in DATABASE. Prints `RESULT <queries per second>`.
"""

import os
import re
import subprocess
import sys
import tempfile

CLIENTS = 8


def main() -> None:
    each = int(os.environ["N"]) // CLIENTS
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("select 1;\n")
        script.flush()
        command = [sys.argv[1], "-n", "-c", str(CLIENTS), "-j", "1", "-M", "simple", "-t", str(each), "-f", script.name,
                   os.environ["DATABASE"]]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = re.search(r"tps = ([\d.]+)", output)
    if not rate or "number of failed transactions: 0" not in output:
        sys.exit(f"pgbench: {output.strip()}")
    print(f"RESULT {rate[1]}")


if __name__ == "__main__":
    main()
