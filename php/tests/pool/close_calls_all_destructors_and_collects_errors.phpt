--TEST--
PO-12: close() calls every destructor and throws all their errors
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, fn($c) => throw new RuntimeException("destructor $c->n"), min: 3);
try { $pool->close(); } catch (Async\CompositeException $e) {
    foreach ($e->getExceptions() as $error) echo $error->getMessage(), "\n";
}
var_dump(count($pool));
?>
--EXPECT--
destructor 1
destructor 2
destructor 3
int(0)
