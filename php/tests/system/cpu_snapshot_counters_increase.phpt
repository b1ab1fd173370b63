--TEST--
CpuSnapshot::now() returns increasing, read-only counters
--FILE--
<?php
$a = Async\CpuSnapshot::now();
$end = hrtime(true) + 20_000_000;
while (hrtime(true) < $end);
$b = Async\CpuSnapshot::now();
var_dump($b->wallNs > $a->wallNs, $b->processUserNs + $b->processSystemNs > $a->processUserNs + $a->processSystemNs,
    $b->systemIdleNs >= $a->systemIdleNs, $b->systemBusyNs >= $a->systemBusyNs, $b->cpuCount >= 1);
foreach ([fn() => $a->wallNs = 1, fn() => new Async\CpuSnapshot, fn() => serialize($a)] as $call) {
    try { $call(); } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
Cannot modify readonly property Async\CpuSnapshot::$wallNs
Cannot directly construct Async\CpuSnapshot, use the functions and methods of Async
Serialization of 'Async\CpuSnapshot' is not allowed
