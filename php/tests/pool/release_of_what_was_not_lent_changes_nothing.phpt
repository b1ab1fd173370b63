--TEST--
PO-27: release of a foreign resource, or a second one, is an error that changes nothing
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$pool = new Pool(fn() => new Conn);
$conn = $pool->acquire();
$pool->release($conn);
foreach ([$conn, new Conn, 17, null] as $wrong) {
    try { $pool->release($wrong); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
}
var_dump(count($pool), $pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
release() of what this pool has not lent: it was released before, or is another's
release() of what this pool has not lent: it was released before, or is another's
release() of what this pool has not lent: it was released before, or is another's
release() of what this pool has not lent: it was released before, or is another's
int(1)
int(1)
int(0)
