--TEST--
PO-07: a factory failure is thrown in the acquire() that requested the resource
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(function () { static $n = 0; if (++$n < 3) throw new RuntimeException("failure $n"); return new Conn; }, max: 1);
for ($i = 0; $i < 3; $i++) {
    try { var_dump($pool->acquire() instanceof Conn); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
}
var_dump(count($pool));
?>
--EXPECT--
failure 1
failure 2
bool(true)
int(1)
