--TEST--
POOL-05 PO-16: health checks find dead idle resources, below min they are replaced; the timer keeps no program alive
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$pool = new Pool(fn() => new Conn, fn($c) => print("destroyed $c->n\n"), healthcheck: function ($c) { suspend(); return $c->ok; },
    min: 2, healthcheckInterval: 5);
$conn = $pool->acquire();
$dead = $pool->acquire();
$dead->ok = $conn->ok = false;
$pool->release($dead);
for ($i = 0; $i < 500 && (Conn::$made < 3 || $pool->idleCount() < 1); $i++) delay(1);
var_dump(count($pool), $pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
destroyed 1
int(2)
int(1)
int(1)
destroyed 3
