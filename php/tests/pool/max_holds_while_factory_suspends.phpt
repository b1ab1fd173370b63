--TEST--
PO-09: at most max resources exist, also while the factory is suspended
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$live = $max = 0;
$pool = new Pool(function () use (&$live, &$max) { $max = max($max, ++$live); delay(1); return new Conn; }, max: 3);
$all = [];
for ($i = 0; $i < 10; $i++) $all[] = spawn(function () use ($pool) { $c = $pool->acquire(); delay(1); $pool->release($c); });
Async\await_all($all);
var_dump($max, count($pool));
?>
--EXPECT--
int(3)
int(3)
