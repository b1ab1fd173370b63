--TEST--
PO-02: a resource reserved for a waiter goes to the next waiter if the first is cancelled
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, max: 1);
$conn = $pool->acquire();
$first = spawn(fn() => $pool->acquire());
$second = spawn(function () use ($pool) { $pool->acquire(); echo "second acquired\n"; });
suspend();
$pool->release($conn);
$first->cancel();
await($second);
try { await($first); } catch (Cancellation $e) { echo "first was cancelled\n"; }
?>
--EXPECT--
second acquired
first was cancelled
