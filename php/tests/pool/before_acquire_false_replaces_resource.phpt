--TEST--
POOL-02: if beforeAcquire returns false, the resource is destroyed and another is acquired; null accepts it
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, destructor: fn($c) => print("destroyed $c->n\n"),
    beforeAcquire: function (Conn $c) { echo "check $c->n\n"; if (!$c->ok) return false; });
$conn = $pool->acquire();
$pool->release($conn);
$conn = $pool->acquire();
$conn->ok = false;
$pool->release($conn);
var_dump($pool->acquire()->n, count($pool));
?>
--EXPECT--
check 1
check 1
destroyed 1
int(2)
int(1)
