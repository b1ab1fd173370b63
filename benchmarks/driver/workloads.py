"""The list of workloads with their programs, counts and targets.

`count` is the N that a program gets: the number of operations or coroutines. The names are part of the interface of ./bench,
because other tools read them from its JSON output.
"""

from php_workloads import PHP_WORKLOADS
from workload import BASELINE, Target, Workload

RUNTIMES = ("boost_fiber", "asio", "go", "tokio", "node", BASELINE)


def yield_workload(coroutines: int, targets: tuple[Target, ...] = ()) -> Workload:
    return Workload(
        name=f"yield-{coroutines}",
        what=f"{coroutines:,} coroutines that yield repeatedly; time per yield",
        unit="ns",
        programs=RUNTIMES,
        count=5_000_000,
        quick_count=2_000_000,
        targets=targets,
    )


def sleep_workload(name: str, sleeps: str, targets: tuple[Target, ...] = ()) -> Workload:
    return Workload(
        name=name,
        what=f"100,000 coroutines sleep 0–100 ms {sleeps}; CPU time of the process",
        unit="CPU ms",
        programs=RUNTIMES,
        count=100_000,
        quick_count=100_000,
        quick_rounds=2,
        scales=False,
        targets=targets,
    )


def sync_workload(name: str, what: str, targets: tuple[Target, ...]) -> Workload:
    return Workload(
        name=name,
        what=what,
        unit="ns",
        programs=("boost_fiber", "go", "tokio"),
        count=2_000_000,
        quick_count=1_000_000,
        targets=targets,
    )


def growth_workload(operation: str, what: str) -> Workload:
    return Workload(
        name=f"growth-{operation}",
        what=f"{what}; cost per operation with a million coroutines relative to a thousand",
        unit="×",
        programs=(BASELINE,),
        count=1_000_000,
        quick_count=1_000_000,
        rounds=3,
        quick_rounds=1,
        scales=False,
        needs_gb={"ours": 5, BASELINE: 4.5},
        targets=(Target(5),),
    )


SERVERS = ("raw_epoll", "tokio", "libuv", "asio", "go", "node")


def echo_workload(connections: int) -> Workload:
    return Workload(
        name=f"echo-{connections}",
        what=f"TCP echo of 64 bytes on {connections:,} connections, server on one core; requests per second",
        unit="1/s",
        programs=SERVERS,
        # Many short rounds, because the noise of the machine exceeds the differences between the programs.
        count=600,
        quick_count=400,
        rounds=25,
        quick_rounds=15,
        scales=False,
        better="higher",
        targets=(Target(0.97, "raw_epoll"), Target(1, "tokio"),
                 *(Target(1, peer, strict=True) for peer in ("libuv", "go", "node", "asio"))),
        serve="serve-echo",
        load=("bench_load", "{port}", str(connections), "{milliseconds}", "{pid}"),
    )


def http_workload(name: str, measures: str, what: str, unit: str, better: str, targets: tuple[Target, ...]) -> Workload:
    return Workload(
        name=name,
        what=f"HTTP \"Hello, World!\", wrk with 64 connections, server on one core; {what}",
        unit=unit,
        programs=("raw_epoll", "nginx", "go", "node"),
        count=1000,
        quick_count=1000,
        rounds=15,
        quick_rounds=7,
        scales=False,
        better=better,
        targets=targets,
        serve="serve-http",
        load=("wrk", "{port}", "64", "{milliseconds}", "{pid}", measures),
    )


def file_workload(name: str, pieces: str) -> Workload:
    return Workload(
        name=name,
        what=f"write and read a file in pieces of {pieces}; speed relative to a loop of write() and read()",
        unit="×",
        programs=(),
        count=1024,
        quick_count=128,
        rounds=3,
        quick_rounds=1,
        scales=False,
        better="higher",
        targets=(Target(0.9),),
    )


def database_workload(name: str, database: str, peer: str, what: str, count: int, target: Target) -> Workload:
    return Workload(
        name=name,
        what=f"{what}; server on another core; queries per second",
        unit="1/s",
        programs=(peer,),
        count=count,
        quick_count=count // 3,
        rounds=5,
        quick_rounds=3,
        scales=False,
        better="higher",
        targets=(target,),
        database=database,
    )


WORKLOADS = (
    Workload(
        name="switch",
        what="two contexts switch to each other; time per switch",
        unit="ns",
        programs=("boost_context", BASELINE),
        count=100_000_000,
        quick_count=20_000_000,
        scales=False,
        targets=(Target(0.5, "boost_context"), Target(1.3, BASELINE)),
    ),
    yield_workload(2, (Target(0.2, "boost_fiber"), Target(1, "go", strict=True), Target(1, "tokio", strict=True))),
    yield_workload(16),
    yield_workload(100),
    yield_workload(1000, (Target(0.4, "boost_fiber"), Target(1, "go", strict=True), Target(1, "tokio", strict=True))),
    yield_workload(10_000),
    Workload(
        name="spawn",
        what="spawn, run, finish and join, in batches of 100; time per coroutine",
        unit="ns",
        programs=RUNTIMES,
        count=1_000_000,
        quick_count=500_000,
        targets=(Target(0.3, "boost_fiber"), Target(0.6, "tokio")),
    ),
    Workload(
        name="scope-cancel",
        what="cancel and await 10,000 sleeping coroutines in 100 nested scopes; time per coroutine",
        unit="ns",
        programs=(),
        count=10_000,
        quick_count=10_000,
        scales=False,
    ),
    Workload(
        name="skynet",
        what="tree of coroutines with ten children per node and a million leaves that sums results; total time",
        unit="ms",
        programs=("go",),
        count=1_000_000,
        quick_count=1_000_000,
        rounds=3,
        quick_rounds=1,
        scales=False,
        targets=(Target(1, "go", strict=True),),
    ),
    Workload(
        name="memory-1m",
        what="a million suspended coroutines; resident bytes per coroutine, including page tables",
        unit="bytes",
        programs=RUNTIMES,
        count=1_000_000,
        quick_count=200_000,
        rounds=3,
        quick_rounds=1,
        whole=("ours", BASELINE),
        scales=False,
        needs_gb={"ours": 5, "boost_fiber": 11, "asio": 8, "go": 3.5, "node": 1.5, BASELINE: 4.5},
        targets=(Target(4700),),
    ),
    sync_workload("channel-0", "unbuffered channel between two coroutines; time per message",
              (Target(30), Target(0.25, "go"), Target(0.25, "tokio"))),
    sync_workload("channel-128", "channel with a buffer of 128 between two coroutines; time per message", (Target(8), Target(0.5, "boost_fiber"))),
    sync_workload("mutex", "lock and unlock without contention; time per pair",
              (Target(4), Target(0.35, "boost_fiber"))),
    sync_workload("semaphore", "acquire and release a permit without contention; time per pair",
              (Target(0.35, "boost_fiber"),)),
    sync_workload("pool-1", "acquire and release a resource of a pool of 8 without contention; time per pair",
              (Target(18), Target(0.5, "boost_fiber"))),
    sync_workload("pool-64", "64 coroutines share a pool of 8 and yield once between acquire and release; time per pair", tuple(Target(0.5, peer) for peer in ("boost_fiber", "go", "tokio"))),
    Workload(
        name="pool-waiters",
        what="100,000 coroutines wait for one resource in FIFO order; cost per waiter relative to 10,000 waiters",
        unit="×",
        programs=("boost_fiber", "go", "tokio"),
        count=100_000,
        quick_count=100_000,
        rounds=3,
        quick_rounds=1,
        scales=False,
        targets=(Target(2),),
    ),
    Workload(
        name="fan-out",
        what="a million tasks in a group with concurrency 100, each yields once and returns a number; time per task",
        unit="ns",
        programs=("go",),
        count=1_000_000,
        quick_count=300_000,
        targets=(Target(1, "go", strict=True),),
    ),
    sleep_workload("sleep-100k", "once", (Target(1.3, "tokio"),)),
    sleep_workload("sleep-100k-x5", "five times"),
    Workload(
        name="timer-cancel",
        what="arm a million timers, then cancel them; time per pair",
        unit="ns",
        programs=(),
        count=1_000_000,
        quick_count=1_000_000,
        scales=False,
        targets=(Target(150),),
    ),
    Workload(
        name="trigger",
        what="a coroutine wakes a thread with an eventfd, the thread fires a trigger; time per round trip",
        unit="ns",
        programs=(BASELINE,),
        count=100_000,
        quick_count=50_000,
        targets=(Target(1.2, BASELINE),),
    ),
    Workload(
        name="interpose",
        what="a replaced libc call outside a runtime; overhead compared with the original call",
        unit="ns",
        programs=(),
        count=50_000_000,
        quick_count=10_000_000,
        scales=False,
        targets=(Target(5),),
    ),
    file_workload("file-1m", "1 MiB"),
    file_workload("file-64k", "64 KiB"),
    growth_workload("spawn", "spawn, run, finish and join with all coroutines of a batch live"),
    growth_workload("yield", "yield"),
    growth_workload("timer", "sleep with the same number of timers due per millisecond"),
    echo_workload(64),
    echo_workload(1000),
    http_workload("http-64", "rate", "requests per second", "1/s", "higher",
              (Target(1, "nginx"), Target(2, "go"), Target(3, "node"))),
    http_workload("http-64-cpu", "cpu", "CPU time of the server per request", "µs", "lower", (Target(1, "nginx"),)),
    database_workload("pg", "postgres", "pgbench", "PostgreSQL, `select 1`, 64 coroutines over 8 connections; pgbench with 8 "
                  "clients", 60_000, Target(1, "pgbench")),
    database_workload("redis", "redis", "redis_benchmark", "Redis, GET, 64 coroutines over 8 connections, 16 pipelined; "
                  "redis-benchmark with 8 clients", 1_000_000, Target(0.9, "redis_benchmark")),
    *PHP_WORKLOADS,
)


def select_workloads(filters: list[str]) -> list[Workload]:
    """The workloads selected by the filters. A filter selects the workload of that name, or else all whose name contains it.
    Empty if a filter selects none."""
    if not filters:
        return list(WORKLOADS)
    wanted: set[str] = set()
    for text in filters:
        names = {workload.name for workload in WORKLOADS if workload.name == text} or {w.name for w in WORKLOADS if text in w.name}
        if not names:
            return []
        wanted |= names
    return [workload for workload in WORKLOADS if workload.name in wanted]
