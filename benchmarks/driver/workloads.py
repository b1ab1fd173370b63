"""The workloads: what is measured, on which programs, how often, and what we want to reach.

`count` is what a program gets as N: operations, or coroutines where the workload is about them. Names, and the figures
to reach, are part of the interface of ./bench; other tools read them from its JSON.
"""

from php_workloads import PHP_WORKS
from workload import BASELINE, Target, Workload

RUNTIMES = ("boost_fiber", "asio", "go", "tokio", "node", BASELINE)


def yield_work(coroutines: int, targets: tuple[Target, ...] = ()) -> Workload:
    return Workload(
        name=f"yield-{coroutines}",
        what=f"{coroutines:,} coroutines that yield in turn; time per yield",
        unit="ns",
        programs=RUNTIMES,
        count=5_000_000,
        quick_count=2_000_000,
        targets=targets,
    )


def sleep_work(name: str, sleeps: str, targets: tuple[Target, ...] = ()) -> Workload:
    return Workload(
        name=name,
        what=f"100,000 coroutines sleep 0–100 ms {sleeps}; CPU time of the whole process",
        unit="CPU ms",
        programs=RUNTIMES,
        count=100_000,
        quick_count=100_000,
        quick_rounds=2,
        scales=False,
        targets=targets,
    )


def sync_work(name: str, what: str, targets: tuple[Target, ...]) -> Workload:
    return Workload(
        name=name,
        what=what,
        unit="ns",
        programs=("boost_fiber", "go", "tokio"),
        count=2_000_000,
        quick_count=1_000_000,
        targets=targets,
    )


def growth_work(operation: str, what: str) -> Workload:
    return Workload(
        name=f"growth-{operation}",
        what=f"{what}; cost of one at a million, as a multiple of that at a thousand",
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


def echo_work(connections: int) -> Workload:
    return Workload(
        name=f"echo-{connections}",
        what=f"TCP echo of 64 bytes on {connections:,} connections, the server on one core; requests per second",
        unit="1/s",
        programs=SERVERS,
        # Many short rounds: the machine's own ups and downs are larger than what is to be told apart.
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


def http_work(name: str, measures: str, what: str, unit: str, better: str, targets: tuple[Target, ...]) -> Workload:
    return Workload(
        name=name,
        what=f"HTTP hello, wrk with 64 connections, the server on one core; {what}",
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



def file_work(name: str, pieces: str) -> Workload:
    return Workload(
        name=name,
        what=f"a file written and read in pieces of {pieces}; speed as a part of a plain loop's in the same program",
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


def database_work(name: str, database: str, peer: str, what: str, count: int, target: Target) -> Workload:
    return Workload(
        name=name,
        what=f"{what}; the server on the other core; per second",
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
        what="two contexts that switch to each other; time per switch",
        unit="ns",
        programs=("boost_context", BASELINE),
        count=100_000_000,
        quick_count=20_000_000,
        scales=False,
        targets=(Target(0.5, "boost_context"), Target(1.3, BASELINE)),
    ),
    yield_work(2, (Target(0.2, "boost_fiber"), Target(1, "go", strict=True), Target(1, "tokio", strict=True))),
    yield_work(16),
    yield_work(100),
    yield_work(1000, (Target(0.4, "boost_fiber"), Target(1, "go", strict=True), Target(1, "tokio", strict=True))),
    yield_work(10_000),
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
        what="10,000 sleeping coroutines in scopes 100 deep are cancelled and awaited; time per coroutine",
        unit="ns",
        programs=(),
        count=10_000,
        quick_count=10_000,
        scales=False,
    ),
    Workload(
        name="skynet",
        what="a million leaves below nodes of ten children each, which sum up what theirs return; the whole",
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
        what="a million suspended coroutines; resident bytes each, page tables included",
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
    sync_work("channel-0", "one coroutine sends to another without a buffer; time per message",
              (Target(30), Target(0.25, "go"), Target(0.25, "tokio"))),
    sync_work("channel-128", "the same with a buffer of 128", (Target(8), Target(0.5, "boost_fiber"))),
    sync_work("mutex", "locked and unlocked while nobody else wants it; time per pair",
              (Target(4), Target(0.35, "boost_fiber"))),
    sync_work("semaphore", "a permit taken and given back while there are others; time per pair",
              (Target(0.35, "boost_fiber"),)),
    sync_work("pool-1", "a resource taken from a pool of 8 and given back while nobody else wants one; time per pair",
              (Target(18), Target(0.5, "boost_fiber"))),
    sync_work("pool-64", "64 coroutines share a pool of 8, each with one turn of the others between taking and giving "
              "back; time per pair", tuple(Target(0.5, peer) for peer in ("boost_fiber", "go", "tokio"))),
    Workload(
        name="pool-waiters",
        what="100,000 coroutines wait for one resource and are served in turn; cost of one, as a multiple of that among "
             "10,000",
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
        what="a million tasks, a hundred at a time, each yields once and returns a number; time per task",
        unit="ns",
        programs=("go",),
        count=1_000_000,
        quick_count=300_000,
        targets=(Target(1, "go", strict=True),),
    ),
    sleep_work("sleep-100k", "once", (Target(1.3, "tokio"),)),
    sleep_work("sleep-100k-x5", "five times"),
    Workload(
        name="timer-cancel",
        what="a million timers, all armed and then all cancelled; time per pair",
        unit="ns",
        programs=(),
        count=1_000_000,
        quick_count=1_000_000,
        scales=False,
        targets=(Target(150),),
    ),
    Workload(
        name="trigger",
        what="a coroutine asks another thread by an eventfd and is woken by its trigger; time per round trip",
        unit="ns",
        programs=(BASELINE,),
        count=100_000,
        quick_count=50_000,
        targets=(Target(1.2, BASELINE),),
    ),
    Workload(
        name="interpose",
        what="a call of the C library that is replaced, made outside a runtime; what it costs more than the original",
        unit="ns",
        programs=(),
        count=50_000_000,
        quick_count=10_000_000,
        scales=False,
        targets=(Target(5),),
    ),
    file_work("file-1m", "1 MiB"),
    file_work("file-64k", "64 KiB"),
    growth_work("spawn", "spawn, run, finish and join, all of a batch alive at once"),
    growth_work("yield", "yields in turn"),
    growth_work("timer", "sleeps, with the same number of timers due per millisecond"),
    echo_work(64),
    echo_work(1000),
    http_work("http-64", "rate", "requests per second", "1/s", "higher",
              (Target(1, "nginx"), Target(2, "go"), Target(3, "node"))),
    http_work("http-64-cpu", "cpu", "CPU time of the server per request", "µs", "lower", (Target(1, "nginx"),)),
    database_work("pg", "postgres", "pgbench", "PostgreSQL, `select 1` by 64 coroutines over 8 connections, pgbench with 8 "
                  "clients", 60_000, Target(1, "pgbench")),
    database_work("redis", "redis", "redis_benchmark", "Redis, GET by 64 coroutines over 8 connections, 16 at a time, as "
                  "redis-benchmark with 8 clients", 1_000_000, Target(0.9, "redis_benchmark")),
    *PHP_WORKS,
)


def chosen(filters: list[str]) -> list[Workload]:
    """The workloads a filter names: the one of that name, or else all whose name contains it. Empty when one fits none."""
    if not filters:
        return list(WORKLOADS)
    wanted: set[str] = set()
    for text in filters:
        names = {workload.name for workload in WORKLOADS if workload.name == text} or {w.name for w in WORKLOADS if text in w.name}
        if not names:
            return []
        wanted |= names
    return [workload for workload in WORKLOADS if workload.name in wanted]
