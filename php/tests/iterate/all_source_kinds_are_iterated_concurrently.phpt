--TEST--
AW-10: arrays, iterators, aggregates and generators are iterated concurrently
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
class Aggregate implements IteratorAggregate { function getIterator(): Iterator { return new ArrayIterator([1, 2, 3]); } }
class UserIterator implements Iterator {
    private $i = 1;
    function current(): mixed { return $this->i; }
    function key(): mixed { return "k$this->i"; }
    function next(): void { $this->i++; }
    function rewind(): void { $this->i = 1; }
    function valid(): bool { return $this->i <= 3; }
}
$sources = ['array' => [1, 2, 3], 'iterator' => new ArrayIterator([1, 2, 3]), 'aggregate' => new Aggregate, 'user class' => new UserIterator,
    'generator' => (function () { yield 'a' => 1; yield 'a' => 2; yield [1] => 3; })()];
foreach ($sources as $name => $source) {
    $running = 0; $keys = [];
    iterate($source, function ($v, $k) use (&$running, &$keys) { $keys[] = $k; ++$running; while ($running < 3) suspend(); });
    echo "$name: $running at a time, keys ", json_encode($keys), "\n";
}
?>
--EXPECT--
array: 3 at a time, keys [0,1,2]
iterator: 3 at a time, keys [0,1,2]
aggregate: 3 at a time, keys [0,1,2]
user class: 3 at a time, keys ["k1","k2","k3"]
generator: 3 at a time, keys ["a","a",[1]]
