--TEST--
The collector looks at coroutines that wait in destructors while an exception unwinds their frames
--FILE--
<?php
use Async\Channel;
use function Async\{await, spawn, suspend};
class Waits {
    public function __construct(private Channel $gate) {}
    public function __destruct() { $this->gate->recv(); }
}
function take(...$values) {}
function fail() { throw new Exception('thrown'); }
$gate = new Channel;
$waits = fn() => new Waits($gate);
$ways = [
    'argument' => fn() => take($waits(), [new stdClass], fail()),
    'argument behind another' => fn() => take([new stdClass], $waits(), fail()),
    'arguments of nested calls' => fn() => take($waits(), take([new stdClass], $waits(), fail())),
    'element' => fn() => [[new stdClass], $waits(), fail()],
    'operand' => fn() => [$waits(), new stdClass] == fail(),
    'loop' => function () use ($waits) { foreach ([$waits(), new stdClass] as $one) { $one = null; fail(); } },
    'variable' => function () use ($waits) { $one = $waits(); $list = [new stdClass]; take($list, $waits(), fail()); },
];
foreach ($ways as $name => $way) {
    $all[$name] = spawn(function () use ($way) {
        $kept = ['kept'];
        $kept[] = &$kept;  // it must find them
        try { $way(); } catch (Exception $error) { return $error->getMessage() . ", {$kept[0]}"; }
    });
}
suspend();
for ($i = 0; $i < 10; $i++) {
    foreach ($all as $one) {
        $shown = [$one];
        unset($shown, $one);
    }
    gc_collect_cycles();
    $gate->sendAsync(null) || suspend();
    suspend();
}
$gate->close();
foreach ($all as $name => $one) echo "$name: ", await($one), "\n";
--EXPECT--
argument: thrown, kept
argument behind another: thrown, kept
arguments of nested calls: thrown, kept
element: thrown, kept
operand: thrown, kept
loop: thrown, kept
variable: thrown, kept
