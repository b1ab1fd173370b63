<?php
// The PHP extension true_async.
require __DIR__ . '/harness.php';
require __DIR__ . '/unused.php';

use Async\{Channel, Future, FutureState};
use function Async\{await, delay, spawn, suspend};

function yielding(int $count): void
{
    $each = intdiv(operations_or(1_000_000), $count);
    $body = function () use ($each) {
        for ($k = 0; $k < $each; $k++) {
            suspend();
        }
    };
    $all = [];
    for ($i = 0; $i < $count; $i++) {
        $all[] = spawn($body);
    }
    suspend();  // starts the coroutines
    $start = hrtime(true);
    foreach ($all as $one) {
        await($one);
    }
    report_per_operation($start, $each * $count);
}

function spawning(bool $together): void
{
    $batches = intdiv(operations_or(1_000_000), 100);
    $body = $together ? function () { suspend(); } : function () {};
    for ($i = 0; $i < 100; $i++) {
        await(spawn($body));
    }
    $start = hrtime(true);
    for ($batch = 0; $batch < $batches; $batch++) {
        $all = [];
        for ($i = 0; $i < 100; $i++) {
            $all[] = spawn($body);
        }
        foreach ($all as $one) {
            await($one);
        }
    }
    report_per_operation($start, $batches * 100);
}

/** Minus the cost of a call of an internal function that does nothing. */
function await_done(): void
{
    $count = operations_or(5_000_000);
    $done = spawn(fn () => 1);
    await($done);
    $start = hrtime(true);
    for ($i = 0; $i < $count; $i++) {
        \gc_enabled();
    }
    $empty = hrtime(true) - $start;
    $start = hrtime(true);
    for ($i = 0; $i < $count; $i++) {
        await($done);
    }
    $awaits = hrtime(true) - $start;
    $note = sprintf('%.1f ns with the loop, %.1f ns of an empty call', $awaits / $count, $empty / $count);
    report(($awaits - $empty) / $count, $note);
}

function channel(int $capacity): void
{
    $count = operations_or(1_000_000);
    $channel = new Channel($capacity);
    $receiver = spawn(function () use ($channel, $count) {
        for ($i = 0; $i < $count; $i++) {
            $channel->recv();
        }
    });
    $sender = spawn(function () use ($channel, $count) {
        for ($i = 0; $i < $count; $i++) {
            $channel->send($i);
        }
    });
    $start = hrtime(true);
    await($sender);
    await($receiver);
    report_per_operation($start, $count);
}

function sleeping(bool $reports_memory): void
{
    $count = 10_000;
    $start = hrtime(true);
    $all = [];
    for ($i = 0; $i < $count; $i++) {
        $all[] = spawn(fn () => delay(10));
    }
    foreach ($all as $one) {
        await($one);
    }
    $took = (hrtime(true) - $start) / 1e6;
    report($reports_memory ? status_bytes('VmHWM') / 1e6 : $took);
}

function memory(): void
{
    $count = operations_or(100_000);
    $state = new FutureState();
    $future = new Future($state);
    $body = function () use ($future) { await($future); };
    memory_now();
    $before = memory_now();
    for ($i = 0; $i < $count; $i++) {
        spawn($body);
    }
    suspend();
    report_memory($before, $count);
    $state->complete(null);
}

// Plain PHP stream functions; the calls they make suspend the coroutine.
function serve_echo(): void
{
    $server = stream_socket_server('tcp://127.0.0.1:0');
    echo 'PORT ', substr(strrchr(stream_socket_get_name($server, false), ':'), 1), "\n";
    $serve = function ($client) {
        while (($text = fread($client, 8192)) !== '' && $text !== false) {
            fwrite($client, $text);
        }
    };
    while ($client = stream_socket_accept($server, 3600)) {
        spawn($serve, $client);
    }
}

run_workload([
    'php-yield-2' => fn () => yielding(2),
    'php-yield-1000' => fn () => yielding(1000),
    'php-spawn-1' => fn () => spawning(false),
    'php-spawn-100' => fn () => spawning(true),
    'php-await-done' => await_done(...),
    'php-channel-0' => fn () => channel(0),
    'php-channel-100' => fn () => channel(100),
    'php-sleep-10k' => fn () => sleeping(false),
    'php-sleep-10k-mb' => fn () => sleeping(true),
    'php-memory' => memory(...),
    'php-unused' => unused(...),
    'serve-echo' => serve_echo(...),
], $argv);
