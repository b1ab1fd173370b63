--TEST--
PO-22 POOL-01: the first min resources are made in advance, or their error is thrown
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$pool = new Pool(fn() => new Conn, min: 3, max: 5);
var_dump(count($pool), $pool->idleCount());
try { new Pool(fn() => throw new RuntimeException("no service"), min: 1); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
int(3)
int(3)
no service
