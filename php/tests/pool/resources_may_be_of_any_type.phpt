--TEST--
Resources may be of any type, and equal values are interchangeable
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$values = [1, 1, "text", 1.5, [1, 2], true, STDOUT];
$pool = new Pool(function () use (&$values) { return array_shift($values); }, max: 7);
$leased = [];
for ($i = 0; $i < 7; $i++) $leased[] = $pool->acquire();
foreach ($leased as $resource) $pool->release($resource);
var_dump($pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
int(7)
int(0)
