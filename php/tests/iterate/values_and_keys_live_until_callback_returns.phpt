--TEST--
AW-12: refcounted values and keys live until their callback returns, and no longer
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
class V { function __construct(public $n) {} function __destruct() { echo "-{$this->n} "; } }
function values() { foreach (['x', 'y'] as $n) yield str_repeat($n, 3) => new V($n); }
iterate(values(), function ($value, $key) { delay(1); echo "$key:{$value->n} "; });
echo "\n";
$big = [str_repeat('k', 20) => str_repeat('v', 20)];
iterate($big, function ($v, $k) use (&$big) { $big = null; suspend(); echo "$k $v\n"; });
?>
--EXPECT--
xxx:x -x yyy:y -y 
kkkkkkkkkkkkkkkkkkkk vvvvvvvvvvvvvvvvvvvv
