--TEST--
POOL-05 PO-16: health checks destroy dead idle resources and refill to min; their timer does not keep the program alive
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, fn($c) => print("destroyed $c->n\n"), healthcheck: function ($c) { suspend(); return $c->ok; },
    min: 2, healthcheckInterval: 5);
$conn = $pool->acquire();
$dead = $pool->acquire();
$dead->ok = $conn->ok = false;
$pool->release($dead);
for ($i = 0; $i < 500 && (Conn::$created < 3 || $pool->idleCount() < 1); $i++) delay(1);
var_dump(count($pool), $pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
destroyed 1
int(2)
int(1)
int(1)
destroyed 3
