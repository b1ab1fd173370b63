"""The workloads of the PHP extension, compared with PHP's Fiber and with Node."""

from workload import Target, Workload


def php_workload(name: str, what: str, programs: tuple[str, ...], count: int, targets: tuple[Target, ...], **more) -> Workload:
    return Workload(**{"name": name, "what": what, "unit": "ns", "programs": programs, "count": count,
                   "quick_count": max(1, count // 4), "targets": targets, "ours": "true_async", **more})


PHP_WORKLOADS = (
    php_workload("php-yield-2", "PHP: two coroutines yield alternately; time per yield; Fiber: resume and suspend",
             ("fiber", "node"), 1_000_000, (Target(0.95, "fiber"),)),
    php_workload("php-yield-1000", "PHP: a thousand coroutines yield; time per yield", ("fiber", "node"), 1_000_000, (Target(0.8, "fiber"),)),
    php_workload("php-spawn-1", "PHP: spawn, finish and await in batches of 100, one live at a time; time per coroutine",
             ("fiber", "node"), 200_000, (Target(0.03, "fiber"),)),
    php_workload("php-spawn-100", "PHP: spawn, finish and await in batches of 100, all live; time per coroutine", ("fiber",), 100_000, (Target(0.05, "fiber"),)),
    php_workload("php-await-done", "PHP: await of a finished coroutine, minus a call of an empty internal function; time", (),
             2_000_000, (Target(20),)),
    php_workload("php-channel-0", "PHP: unbuffered channel between two coroutines; time per message; Fiber: a round trip",
             ("fiber",), 1_000_000, (Target(1.5, "fiber"),)),
    php_workload("php-channel-100", "PHP: channel with a buffer of 100; time per message", ("fiber",), 1_000_000, (Target(1.0, "fiber"),)),
    php_workload("php-sleep-10k", "PHP: 10,000 coroutines sleep 10 ms; total time", ("node",), 10_000, (Target(60),), unit="ms",
             quick_count=10_000, scales=False),
    php_workload("php-sleep-10k-mb", "PHP: 10,000 coroutines sleep 10 ms; peak memory of the process", (), 10_000, (Target(95),), unit="MB",
             quick_count=10_000, quick_rounds=1, scales=False),
    php_workload("php-memory", "PHP: a million suspended coroutines (Fiber: 20,000); resident bytes per coroutine", ("fiber",), 1_000_000,
             (Target(8400),), unit="bytes", quick_count=100_000, rounds=3, quick_rounds=1, scales=False,
             needs_gb={"ours": 9.5}),
    php_workload("php-unused", "PHP: extra instructions of a CPU-bound script if the extension is loaded and not used", (),
             20, (Target(0.1),), unit="% more", rounds=1, quick_rounds=1, scales=False),
    php_workload("php-pdo", "PHP: PostgreSQL, `select 1` with PDO::query, 64 coroutines, 8 pooled connections, one core; peer: 8 PHP "
             "processes on one core; queries per second", ("php_processes",), 40_000,
             (Target(0.9, "php_processes"),), unit="1/s", quick_count=20_000, scales=False, better="higher",
             database="postgres", ours="pooled_pdo"),
    php_workload("php-echo-64", "PHP: TCP echo of 64 bytes on 64 connections with blocking stream functions, server on one "
             "core; requests per second", ("raw_epoll", "node"), 600, (Target(0.85, "raw_epoll"),), unit="1/s",
             quick_count=400, rounds=25, quick_rounds=15, scales=False, better="higher", serve="serve-echo",
             load=("bench_load", "{port}", "64", "{milliseconds}", "{pid}")),
)
