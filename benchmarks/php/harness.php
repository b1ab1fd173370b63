<?php
// Shared by the PHP programs: N, clocks, memory measurement and the interface to the driver. None of it runs during a
// measurement.

function operations_or(int $fallback): int
{
    return (int) (getenv('N') ?: $fallback);
}

function report(float $result, string ...$notes): void
{
    foreach ($notes as $note) {
        echo "NOTE $note\n";
    }
    printf("RESULT %.3f\n", $result);
}

function report_per_operation(int $start_ns, int $operations): void
{
    report((hrtime(true) - $start_ns) / $operations);
}

/** A field of /proc/self/status, converted from kB. */
function status_bytes(string $key): int
{
    preg_match("/^$key:\s+(\d+) kB/m", file_get_contents('/proc/self/status'), $match);
    return (int) $match[1] * 1024;
}

/** @return array{int, int} bytes of resident memory and of page tables */
function memory_now(): array
{
    return [status_bytes('VmRSS'), status_bytes('VmPTE')];
}

function report_memory(array $before, int $count): void
{
    [$resident, $tables] = memory_now();
    $note = sprintf('%d alive; page tables: %.0f bytes each', $count, ($tables - $before[1]) / $count);
    report(($resident - $before[0]) / $count, $note);
}

function run_workload(array $workloads, array $argv): void
{
    $workload = $workloads[$argv[1] ?? ''] ?? null;
    if ($workload === null) {
        fwrite(STDERR, "usage: {$argv[0]} WORKLOAD; workloads: " . implode(' ', array_keys($workloads)) . "\n");
        exit(2);
    }
    $workload();
}
