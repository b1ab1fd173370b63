--TEST--
spawn_with() accepts a scope or a provider; null selects the current scope
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
use Async\ScopeProvider;
use function Async\spawn_with;
$scope = new Scope();
class Provider implements ScopeProvider {
    function __construct(private ?Scope $scope) {}
    function provideScope(): ?Scope { return $this->scope; }
}
$a = spawn_with($scope, fn($x) => $x, 1);
$b = spawn_with(new Provider($scope), fn($x, $y) => $x . $y, "b", y: "c");
$c = spawn_with(new Provider(null), "strtoupper", "main");
var_dump($scope->isFinished());
var_dump(await($a), await($b), await($c), $scope->isFinished());
class Failing implements ScopeProvider { function provideScope(): ?Scope { throw new RuntimeException("no scope"); } }
try { spawn_with(new Failing, fn() => 1); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
try { spawn_with(new stdClass, fn() => 1); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { spawn_with($scope, "no_such_function"); } catch (TypeError $e) { echo "TypeError\n"; }
?>
--EXPECT--
bool(false)
int(1)
string(2) "bc"
string(4) "MAIN"
bool(true)
no scope
Async\spawn_with(): Argument #1 ($provider) must be of type Async\ScopeProvider, stdClass given
TypeError
