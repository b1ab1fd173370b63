--TEST--
PO-08: a factory that returns null is an error
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => null);
try { $pool->acquire(); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECTF--
%sthe factory returned no resource
