--TEST--
POOL-03 PO-06: if beforeRelease rejects a resource, it is destroyed and a waiter gets a new one
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, destructor: fn($c) => print("destroyed $c->n\n"), beforeRelease: fn($c) => $c->ok, max: 1);
$conn = $pool->acquire();
$waiter = spawn(fn() => $pool->acquire()->n);
suspend();
$conn->ok = false;
$pool->release($conn);
var_dump(await($waiter), $conn->n);
?>
--EXPECT--
destroyed 1
int(2)
int(1)
