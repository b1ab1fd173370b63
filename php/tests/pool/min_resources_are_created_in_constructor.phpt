--TEST--
PO-22 POOL-01: the constructor creates min resources or throws the factory's error
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, min: 3, max: 5);
var_dump(count($pool), $pool->idleCount());
try { new Pool(fn() => throw new RuntimeException("no service"), min: 1); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
int(3)
int(3)
no service
