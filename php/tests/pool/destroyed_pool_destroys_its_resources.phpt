--TEST--
PO-14: destroying a pool destroys its resources and keeps an exception in flight
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

function work() {
    $pool = new Pool(fn() => new Conn, fn($c) => print("destroyed $c->n\n"), min: 2);
    throw new RuntimeException("in flight");
}
try { work(); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
destroyed 1
destroyed 2
in flight
