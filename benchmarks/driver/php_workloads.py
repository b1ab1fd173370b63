"""The workloads of the PHP extension, beside PHP's own Fiber and, where it has the like, Node."""

from workload import Target, Workload


def php_work(name: str, what: str, programs: tuple[str, ...], count: int, targets: tuple[Target, ...], **more) -> Workload:
    return Workload(**{"name": name, "what": what, "unit": "ns", "programs": programs, "count": count,
                   "quick_count": max(1, count // 4), "targets": targets, "ours": "true_async", **more})


PHP_WORKS = (
    php_work("php-yield-2", "PHP: two coroutines that yield in turn, time per yield; Fiber: resume and suspend",
             ("fiber", "node"), 1_000_000, (Target(0.95, "fiber"),)),
    php_work("php-yield-1000", "PHP: the same with a thousand", ("fiber", "node"), 1_000_000, (Target(0.8, "fiber"),)),
    php_work("php-spawn-1", "PHP: spawn, finish and await in batches of 100, one alive at a time; time of one",
             ("fiber", "node"), 200_000, (Target(0.03, "fiber"),)),
    php_work("php-spawn-100", "PHP: the same, with all 100 alive at once", ("fiber",), 100_000, (Target(0.05, "fiber"),)),
    php_work("php-await-done", "PHP: awaiting what is done, above the call of an internal function that does nothing", (),
             2_000_000, (Target(20),)),
    php_work("php-channel-0", "PHP: one coroutine sends to another without a buffer, time per message; Fiber: a round trip",
             ("fiber",), 1_000_000, (Target(1.5, "fiber"),)),
    php_work("php-channel-100", "PHP: the same with a buffer of 100", ("fiber",), 1_000_000, (Target(1.0, "fiber"),)),
    php_work("php-sleep-10k", "PHP: 10,000 coroutines sleep 10 ms; the whole", ("node",), 10_000, (Target(60),), unit="ms",
             quick_count=10_000, scales=False),
    php_work("php-sleep-10k-mb", "PHP: the same; the most memory the process had", (), 10_000, (Target(95),), unit="MB",
             quick_count=10_000, quick_rounds=1, scales=False),
    php_work("php-memory", "PHP: a million suspended coroutines (Fiber: 20,000); resident bytes each", ("fiber",), 1_000_000,
             (Target(8400),), unit="bytes", quick_count=100_000, rounds=3, quick_rounds=1, scales=False,
             needs_gb={"ours": 9.5}),
    php_work("php-unused", "PHP: instructions of a CPU-bound script that does not use the extension, with it and without", (),
             20, (Target(0.1),), unit="% more", rounds=1, quick_rounds=1, scales=False),
    php_work("php-pdo", "PHP: PostgreSQL, `select 1` by PDO::query, 64 coroutines over 8 pooled connections on one core, and 8 "
             "plain PHP processes on the same; queries per second", ("php_processes",), 40_000,
             (Target(0.9, "php_processes"),), unit="1/s", quick_count=20_000, scales=False, better="higher",
             database="postgres", ours="pooled_pdo"),
    php_work("php-echo-64", "PHP: TCP echo of 64 bytes on 64 connections by plain blocking stream functions, the server on one "
             "core; requests per second", ("raw_epoll", "node"), 600, (Target(0.85, "raw_epoll"),), unit="1/s",
             quick_count=400, rounds=25, quick_rounds=15, scales=False, better="higher", serve="serve-echo",
             load=("bench_load", "{port}", "64", "{milliseconds}", "{pid}")),
)
