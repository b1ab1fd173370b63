--TEST--
POOL-08: close() fails waiters and destroys idle resources; leased resources are destroyed on release
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, fn($c) => print("destroyed $c->n\n"), min: 2, max: 2);
$conn = $pool->acquire();
$other = $pool->acquire();
$waiter = spawn(fn() => $pool->acquire());
suspend();
$pool->release($other);
$third = spawn(fn() => $pool->acquire());
suspend();
$resource = await($waiter);
$pool->close();
var_dump($pool->isClosed());
try { await($third); } catch (Async\PoolException $e) { echo "waiter: ", $e->getMessage(), "\n"; }
try { $pool->acquire(); } catch (Async\PoolException $e) { echo "later: ", $e->getMessage(), "\n"; }
$pool->release($conn);
$pool->release($resource);
var_dump(count($pool));
$pool->close();
?>
--EXPECTF--
bool(true)
waiter: Pool is closed
later: %s
destroyed %d
destroyed %d
int(0)
