--TEST--
Iterator, IteratorAggregate and ArrayObject are accepted like arrays
--FILE--
<?php
use function Async\{spawn, await_all_or_fail};
class Urls implements Iterator {
    private int $i = 0;
    function current(): mixed { $i = $this->i; return spawn(fn() => "page $i"); }
    function key(): mixed { return $this->i; }
    function next(): void { ++$this->i; }
    function valid(): bool { return $this->i < 2; }
    function rewind(): void { $this->i = 0; }
}
class Aggregate implements IteratorAggregate { function getIterator(): Iterator { return new Urls; } }
foreach ([new Urls, new Aggregate, new ArrayObject(["k" => spawn(fn() => "v")])] as $it) echo json_encode(await_all_or_fail($it)), "\n";
?>
--EXPECT--
["page 0","page 1"]
["page 0","page 1"]
{"k":"v"}
