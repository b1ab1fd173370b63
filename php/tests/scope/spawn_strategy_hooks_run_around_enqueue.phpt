--TEST--
A SpawnStrategy is called before and after a coroutine is enqueued; an exception undoes the spawn
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
use Async\SpawnStrategy;
use function Async\{spawn_with, get_coroutines};
class Strategy implements SpawnStrategy {
    public $fails = null;
    function __construct(private ?Scope $scope) {}
    function provideScope(): ?Scope { return $this->scope; }
    function beforeCoroutineEnqueue(Coroutine $c, Scope $s): array {
        echo "before "; var_dump($s === $this->scope, $c->isStarted());
        if ($this->fails === "before") throw new RuntimeException("rejected");
        return [];
    }
    function afterCoroutineEnqueue(Coroutine $c, Scope $s): void {
        echo "after "; var_dump($c->isQueued());
        if ($this->fails === "after") throw new RuntimeException("too late");
    }
}
$scope = new Scope();
$strategy = new Strategy($scope);
var_dump(await(spawn_with($strategy, fn() => "ran")));
foreach (["before", "after"] as $strategy->fails) {
    try { spawn_with($strategy, function () { echo "never\n"; }); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
    delay(1);
    var_dump($scope->isFinished(), count(get_coroutines()));
}
$null = new Strategy(null);
spawn_with($null, fn() => 1);
?>
--EXPECT--
before bool(true)
bool(false)
after bool(true)
string(3) "ran"
before bool(true)
bool(false)
rejected
bool(true)
int(1)
before bool(true)
bool(false)
after bool(true)
too late
bool(true)
int(1)
before bool(false)
bool(false)
after bool(true)
