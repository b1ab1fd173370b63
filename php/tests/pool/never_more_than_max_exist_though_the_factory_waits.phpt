--TEST--
PO-09: never more than max exist, though the factory waits
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$living = $most = 0;
$pool = new Pool(function () use (&$living, &$most) { $most = max($most, ++$living); delay(1); return new Conn; }, max: 3);
$all = [];
for ($i = 0; $i < 10; $i++) $all[] = spawn(function () use ($pool) { $c = $pool->acquire(); delay(1); $pool->release($c); });
Async\await_all($all);
var_dump($most, count($pool));
?>
--EXPECT--
int(3)
int(3)
