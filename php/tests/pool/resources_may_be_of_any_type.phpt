--TEST--
Resources may be of any type; equal ones are as good as each other
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

$values = [1, 1, "text", 1.5, [1, 2], true, STDOUT];
$pool = new Pool(function () use (&$values) { return array_shift($values); }, max: 7);
$lent = [];
for ($i = 0; $i < 7; $i++) $lent[] = $pool->acquire();
foreach ($lent as $one) $pool->release($one);
var_dump($pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
int(7)
int(0)
