<?php
// PHP's Fiber without a scheduler: the minimum cost of a scheduler written in PHP.
require __DIR__ . '/harness.php';

function yielding(int $count): void
{
    $each = intdiv(operations_or(1_000_000), $count);
    $fibers = [];
    for ($i = 0; $i < $count; $i++) {
        $fibers[$i] = new Fiber(function () use ($each) {
            for ($k = 0; $k <= $each; $k++) {
                Fiber::suspend();
            }
        });
        $fibers[$i]->start();
    }
    $start = hrtime(true);
    for ($k = 0; $k < $each; $k++) {
        foreach ($fibers as $fiber) {
            $fiber->resume();
        }
    }
    report_per_operation($start, $each * $count);
}

/** One fiber and its resumer: the minimum cost of a message. */
function round_trip(): void
{
    $count = operations_or(1_000_000);
    $fiber = new Fiber(function () use ($count) {
        for ($i = 0; $i <= $count; $i++) {
            Fiber::suspend();
        }
    });
    $fiber->start();
    $start = hrtime(true);
    for ($i = 0; $i < $count; $i++) {
        $fiber->resume();
    }
    report_per_operation($start, $count);
}

function spawning(bool $together): void
{
    $batches = intdiv(operations_or(100_000), 100);
    $body = $together ? function () { Fiber::suspend(); } : function () {};
    $start = hrtime(true);
    for ($batch = 0; $batch < $batches; $batch++) {
        $fibers = [];
        for ($i = 0; $i < 100; $i++) {
            $fibers[] = $fiber = new Fiber($body);
            $fiber->start();
        }
        foreach ($fibers as $fiber) {
            $together ? $fiber->resume() : $fiber->getReturn();
        }
    }
    report_per_operation($start, $batches * 100);
}

function memory(): void
{
    $count = min(operations_or(20_000), 20_000);  // each fiber has a mapping; the kernel allows about 30 000
    $body = function () { Fiber::suspend(); };
    memory_now();
    $before = memory_now();
    $fibers = [];
    for ($i = 0; $i < $count; $i++) {
        $fibers[] = $fiber = new Fiber($body);
        $fiber->start();
    }
    report_memory($before, $count);
}

run_workload([
    'php-yield-2' => fn () => yielding(2),
    'php-yield-1000' => fn () => yielding(1000),
    'php-spawn-1' => fn () => spawning(false),
    'php-spawn-100' => fn () => spawning(true),
    'php-channel-0' => round_trip(...),
    'php-channel-100' => round_trip(...),
    'php-memory' => memory(...),
], $argv);
