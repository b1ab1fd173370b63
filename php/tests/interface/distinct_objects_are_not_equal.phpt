--TEST--
Two distinct objects of a class are not equal, so array_search() finds the right one
--FILE--
<?php
use Async\{Channel, Future, FutureState, Pool, Scope, TaskGroup};
use function Async\{spawn, timeout};
$factories = [
    fn() => spawn(fn() => 1), fn() => new Channel(1), fn() => new Scope, fn() => new TaskGroup, fn() => new FutureState,
    fn() => (new Future(new FutureState))->ignore(), fn() => timeout(1), fn() => new Pool(fn() => 1),
];
foreach ($factories as $create) {
    [$a, $b] = [$create(), $create()];
    var_dump([$a == $b, $a == $a, $a != $b, $a < $b, array_search($b, [$a, $b]), $a == true, $a == null] ===
        [false, true, true, false, 1, true, false]);
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
