--TEST--
PO-02: what a waiter was promised passes on if it is cancelled
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$pool = new Pool(fn() => new Conn, max: 1);
$conn = $pool->acquire();
$first = spawn(fn() => $pool->acquire());
$second = spawn(function () use ($pool) { $pool->acquire(); echo "second has it\n"; });
suspend();
$pool->release($conn);
$first->cancel();
await($second);
try { await($first); } catch (Cancellation $e) { echo "first was cancelled\n"; }
?>
--EXPECT--
second has it
first was cancelled
