--TEST--
POOL-04: tryAcquire() creates a resource if the limit allows, and never waits for a release
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, max: 2);
$a = $pool->tryAcquire();
$b = $pool->tryAcquire();
var_dump($a->n, $b->n, $pool->tryAcquire());
$pool->release($a);
var_dump($pool->tryAcquire() === $a);
?>
--EXPECT--
int(1)
int(2)
NULL
bool(true)
