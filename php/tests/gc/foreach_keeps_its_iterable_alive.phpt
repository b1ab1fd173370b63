--TEST--
GC-01: an iterable that only a foreach loop references lives as long as the coroutine in the loop
--FILE--
<?php
use Async\{Channel, TaskGroup};
use function Async\{spawn, suspend};
class Slow implements Iterator {
    public $self;
    function __construct(private Channel $channel) { $this->self = $this; }
    function rewind(): void {}
    function valid(): bool { return true; }
    function current(): mixed { return 1; }
    function key(): mixed { return 1; }
    function next(): void { $this->channel->recv(); }
}
function take(&$from) { $taken = $from; $from = null; return $taken; }
function full(int $count): Channel { $ch = new Channel($count); for ($i = 0; $i < $count; $i++) $ch->send($i); return $ch; }
$loops = [
    "at its beginning" => function () { $iterable = new Channel; foreach (take($iterable) as $value); },
    "after one element" => function () { $iterable = full(1); foreach (take($iterable) as $value); },
    "after two" => function () { $iterable = full(2); foreach (take($iterable) as $value) { $copy = $value; } },
    "a group" => function () { $iterable = new TaskGroup; foreach (take($iterable) as $value); },
    "a group after one" => function () { $iterable = new TaskGroup; $iterable->spawn(fn() => 1); foreach (take($iterable) as $value); },
    "PHP code" => function () { foreach (new Slow(new Channel) as $value); },
];
$coroutines = $unwound = [];
foreach ($loops as $name => $loop) {
    $coroutines[] = spawn(function () use ($name, $loop, &$unwound) {
        try { $loop(); } finally { $unwound[] = $name; }
    });
}
for ($i = 0; $i < 5; $i++) suspend();
gc_collect_cycles();
$others = array_map(fn() => new Channel(8), range(1, 100));  // reuse memory that might have been freed
for ($i = 0; $i < 5; $i++) suspend();
echo "still suspended: ", count(array_filter($coroutines, fn($coroutine) => $coroutine->isSuspended())), "\n";
unset($coroutines);
gc_collect_cycles();
for ($i = 0; $i < 5; $i++) suspend();
sort($unwound);
echo "unwound: ", implode(", ", $unwound), "\n";
?>
--EXPECT--
still suspended: 6
unwound: PHP code, a group, a group after one, after one element, after two, at its beginning
