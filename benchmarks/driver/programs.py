"""The benchmark programs of TrueAsync, the peers and the baseline, and how each is built and run."""

from collections.abc import Callable
from dataclasses import dataclass, field

from building import Builder


@dataclass(frozen=True)
class Program:
    name: str  # in the JSON file and in targets
    title: str
    build: Callable[[Builder], list[str]]
    version: tuple[str, ...] = ()  # command that prints the version
    factor: int = 1  # multiplies N of workloads that scale
    environment: dict[str, str] = field(default_factory=dict)


def peers_dir(builder: Builder):
    return builder.root / "benchmarks" / "peers"


def pdo_script(builder: Builder):
    return builder.root / "benchmarks" / "php" / "pdo.php"


def debian_version(package: str) -> tuple[str, ...]:
    return ("dpkg-query", "-W", "-f=${Version}", package)


OURS = Program("ours", "TrueAsync", lambda b: b.native("bench_ours"), factor=4)

PROGRAMS = (
    OURS,
    Program("boost_context", "Boost.Context", lambda b: b.native("bench_boost_context", "libboost-context-dev"),
            debian_version("libboost-context-dev")),
    Program("boost_fiber", "Boost.Fiber", lambda b: b.native("bench_boost_fiber", "libboost-fiber-dev"),
            debian_version("libboost-fiber-dev")),
    Program("asio", "Boost.Asio", lambda b: b.native("bench_asio", "libboost-coroutine-dev"),
            debian_version("libboost-coroutine-dev")),
    Program("go", "Go", lambda b: b.go(peers_dir(b) / "go"), debian_version("golang-go"),
            environment={"GOMAXPROCS": "1"}),
    Program("tokio", "Tokio", lambda b: b.cargo(peers_dir(b) / "tokio", "bench_tokio"),
            debian_version("librust-tokio-dev")),
    Program("node", "Node", lambda b: b.node(peers_dir(b) / "node" / "main.js"), debian_version("nodejs")),
    Program("true_async", "true_async", lambda b: b.php(b.root / "benchmarks" / "php" / "true_async.php", True)),
    Program("fiber", "PHP Fiber", lambda b: b.php(b.root / "benchmarks" / "php" / "fiber.php", False),
            debian_version("php8.2-cli")),
    Program("pooled_pdo", "true_async", lambda b: b.php(pdo_script(b), True, ("pdo", "pdo_pgsql"))),
    Program("php_processes", "PHP processes", lambda b: b.php(pdo_script(b), False, ("pdo", "pdo_pgsql")),
            debian_version("php8.2-cli"), environment={"PROCESSES": "8"}),
    Program("raw_epoll", "raw epoll", lambda b: b.native("bench_raw_epoll")),
    Program("libuv", "libuv in C", lambda b: b.native("bench_libuv"), debian_version("libuv1-dev")),
    Program("nginx", "nginx", lambda b: b.script(peers_dir(b) / "nginx" / "serve.py", "nginx", "nginx-light"),
            debian_version("nginx-light")),
    Program("pgbench", "pgbench", lambda b: b.script(peers_dir(b) / "pgbench" / "main.py", "pgbench", "postgresql"),
            debian_version("postgresql")),
    Program("redis_benchmark", "redis-benchmark",
            lambda b: b.script(peers_dir(b) / "redis_benchmark" / "main.py", "redis-benchmark", "redis-server"),
            debian_version("redis-server")),
    Program("baseline", "baseline", lambda b: b.native("bench_baseline"), factor=4),
)

# Load generators, by their name in Workload.load.
LOADS: dict[str, Callable[[Builder], list[str]]] = {
    "bench_load": lambda b: b.native("bench_load"),
    "wrk": lambda b: b.script(b.root / "benchmarks" / "load" / "http.py", "wrk", "wrk"),
}

BY_NAME = {program.name: program for program in PROGRAMS}
