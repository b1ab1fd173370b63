--TEST--
PO-11 PO-13: what a hook or a destructor throws comes out where it was called, and nothing is lost by it
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$pool = new Pool(fn() => new Conn, destructor: fn($c) => throw new LogicException("destructor"),
    beforeAcquire: fn($c) => $c->ok ?: throw new DomainException("beforeAcquire"),
    beforeRelease: fn($c) => $c->ok !== null);
$conn = $pool->acquire();
$conn->ok = false;
$pool->release($conn);
try { $pool->acquire(); } catch (Async\CompositeException $e) {
    foreach ($e->getExceptions() as $one) echo get_class($one), ": ", $one->getMessage(), "\n";
}
var_dump(count($pool), $pool->acquire()->n);
?>
--EXPECT--
DomainException: beforeAcquire
LogicException: destructor
int(0)
int(2)
