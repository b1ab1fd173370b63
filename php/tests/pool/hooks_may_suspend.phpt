--TEST--
Factory, destructor and hooks may suspend
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(function () { delay(1); return new Conn; }, function ($c) { delay(1); echo "destroyed\n"; },
    beforeAcquire: function ($c) { delay(1); return true; }, beforeRelease: function ($c) { delay(1); return true; });
$conn = $pool->acquire(1000);
$pool->release($conn);
var_dump($pool->acquire(1000) === $conn);
$pool->release($conn);
$pool->close();
?>
--EXPECT--
bool(true)
destroyed
