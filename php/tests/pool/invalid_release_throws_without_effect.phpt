--TEST--
PO-27: a second release or the release of a foreign resource throws and has no effect
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn);
$conn = $pool->acquire();
$pool->release($conn);
foreach ([$conn, new Conn, 17, null] as $resource) {
    try { $pool->release($resource); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
}
var_dump(count($pool), $pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
Cannot release a resource that is not acquired from this Pool
Cannot release a resource that is not acquired from this Pool
Cannot release a resource that is not acquired from this Pool
Cannot release a resource that is not acquired from this Pool
int(1)
int(1)
int(0)
