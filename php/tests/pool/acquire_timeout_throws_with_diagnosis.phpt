--TEST--
PO-20 POOL-10: an expired timeout throws a TimeoutException that reports the lease holders
--DESCRIPTION--
not under: asan
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, max: 1);
$conn = $pool->acquire();
try { $pool->acquire(5); } catch (Async\TimeoutException $e) { echo $e->getMessage(), "\n"; }
$pool->release($conn);
var_dump($pool->acquire(5) === $conn);
?>
--EXPECTF--
%s: acquire timed out after %d ms, cause: %a
bool(true)
