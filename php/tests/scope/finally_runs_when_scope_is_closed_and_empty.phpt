--TEST--
finally handlers run with the scope as argument when it is closed and empty, and may suspend
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$scope = new Scope();
$scope->finally(function ($s) use ($scope) { var_dump($s === $scope); suspend(); echo "first\n"; });
$scope->finally(function () { echo "second\n"; });
$scope->spawn(function () { try { delay(60000); } finally { echo "coroutine finished\n"; } });
suspend();
$scope->dispose();
echo "disposed\n";
for ($i = 0; $i < 6; $i++) suspend();
echo "end\n";
?>
--EXPECT--
disposed
coroutine finished
bool(true)
first
second
end
