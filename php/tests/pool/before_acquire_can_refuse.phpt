--TEST--
POOL-02: beforeAcquire refuses with false: the resource goes, another is taken; null is no objection
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$pool = new Pool(fn() => new Conn, destructor: fn($c) => print("destroyed $c->n\n"),
    beforeAcquire: function (Conn $c) { echo "asked $c->n\n"; if (!$c->ok) return false; });
$conn = $pool->acquire();
$pool->release($conn);
$conn = $pool->acquire();
$conn->ok = false;
$pool->release($conn);
var_dump($pool->acquire()->n, count($pool));
?>
--EXPECT--
asked 1
asked 1
destroyed 1
int(2)
int(1)
