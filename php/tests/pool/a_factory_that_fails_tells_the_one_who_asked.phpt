--TEST--
PO-07: a factory that fails tells the one who asked, each its own failure
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

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
