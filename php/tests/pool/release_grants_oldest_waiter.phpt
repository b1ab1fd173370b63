--TEST--
PO-01 PO-03: a released resource is granted to the oldest waiter
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, max: 1);
$conn = $pool->acquire();
$all = [];
foreach (["a", "b", "c"] as $name) {
    $all[] = spawn(function () use ($pool, $name) { $c = $pool->acquire(); echo $name, "\n"; suspend(); $pool->release($c); });
}
suspend();
$pool->release($conn);
$again = $pool->acquire();
echo "main\n";
var_dump(Conn::$created);
?>
--EXPECT--
a
b
c
main
int(1)
