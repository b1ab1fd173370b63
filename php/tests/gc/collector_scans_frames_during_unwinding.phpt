--TEST--
The collector scans coroutines that are suspended in destructors while an exception unwinds their frames
--FILE--
<?php
use Async\Channel;
use function Async\{await, spawn, suspend};
class SuspendingDestructor {
    public function __construct(private Channel $channel) {}
    public function __destruct() { $this->channel->recv(); }
}
function take(...$values) {}
function fail() { throw new Exception('thrown'); }
$channel = new Channel;
$create = fn() => new SuspendingDestructor($channel);
$cases = [
    'argument' => fn() => take($create(), [new stdClass], fail()),
    'argument behind another' => fn() => take([new stdClass], $create(), fail()),
    'arguments of nested calls' => fn() => take($create(), take([new stdClass], $create(), fail())),
    'element' => fn() => [[new stdClass], $create(), fail()],
    'operand' => fn() => [$create(), new stdClass] == fail(),
    'loop' => function () use ($create) { foreach ([$create(), new stdClass] as $one) { $one = null; fail(); } },
    'variable' => function () use ($create) { $one = $create(); $list = [new stdClass]; take($list, $create(), fail()); },
];
foreach ($cases as $name => $case) {
    $all[$name] = spawn(function () use ($case) {
        $kept = ['kept'];
        $kept[] = &$kept;  // a cycle that the collector must find
        try { $case(); } catch (Exception $error) { return $error->getMessage() . ", {$kept[0]}"; }
    });
}
suspend();
for ($i = 0; $i < 10; $i++) {
    foreach ($all as $coroutine) {
        $shown = [$coroutine];
        unset($shown, $coroutine);
    }
    gc_collect_cycles();
    $channel->sendAsync(null) || suspend();
    suspend();
}
$channel->close();
foreach ($all as $name => $coroutine) echo "$name: ", await($coroutine), "\n";
--EXPECT--
argument: thrown, kept
argument behind another: thrown, kept
arguments of nested calls: thrown, kept
element: thrown, kept
operand: thrown, kept
loop: thrown, kept
variable: thrown, kept
