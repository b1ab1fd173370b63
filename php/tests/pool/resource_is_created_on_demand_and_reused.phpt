--TEST--
A resource is created on demand and reused
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn);
var_dump(count($pool), $pool->idleCount(), $pool->activeCount());
$conn = $pool->acquire();
var_dump($conn->n, count($pool), $pool->idleCount(), $pool->activeCount());
$pool->release($conn);
var_dump($pool->acquire() === $conn, Conn::$created);
?>
--EXPECT--
int(0)
int(0)
int(0)
int(1)
int(1)
int(0)
int(1)
bool(true)
int(1)
