--TEST--
PO-11 PO-13: exceptions of hooks and destructors reach the caller, and no resource is lost
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, destructor: fn($c) => throw new LogicException("destructor"),
    beforeAcquire: fn($c) => $c->ok ?: throw new DomainException("beforeAcquire"),
    beforeRelease: fn($c) => $c->ok !== null);
$conn = $pool->acquire();
$conn->ok = false;
$pool->release($conn);
try { $pool->acquire(); } catch (Async\CompositeException $e) {
    foreach ($e->getExceptions() as $error) echo get_class($error), ": ", $error->getMessage(), "\n";
}
var_dump(count($pool), $pool->acquire()->n);
?>
--EXPECT--
DomainException: beforeAcquire
LogicException: destructor
int(0)
int(2)
