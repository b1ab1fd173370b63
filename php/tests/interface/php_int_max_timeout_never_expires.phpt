--TEST--
A timeout of PHP_INT_MAX is accepted and does not expire
--FILE--
<?php
use Async\{Channel, Pool, Scope};
use function Async\{await, delay, exec, spawn, suspend, timeout};
$pool = new Pool(fn() => new stdClass, max: 1, healthcheckInterval: PHP_INT_MAX);
$resource = $pool->acquire();
spawn(fn() => $pool->release($resource));
var_dump($pool->acquire(PHP_INT_MAX) === $resource);
var_dump(await(exec('echo hi', PHP_INT_MAX)));
$scope = new Scope;
$scope->spawn(fn() => delay(5));
$scope->disposeAfterTimeout(PHP_INT_MAX);
suspend();
suspend();
var_dump($scope->isCancelled());
$scope->cancel();
foreach ([fn() => delay(PHP_INT_MAX), fn() => (new Channel(0, PHP_INT_MAX))->recv()] as $call) {
    $waiting = spawn($call);
    suspend();
    suspend();
    var_dump($waiting->isCompleted());
    $waiting->cancel();
}
$timeout = timeout(PHP_INT_MAX);
var_dump(await(spawn(fn() => suspend() ?? 'done'), $timeout), $timeout->isCompleted());
?>
--EXPECT--
bool(true)
array(2) {
  [0]=>
  string(2) "hi"
  [1]=>
  int(0)
}
bool(false)
bool(false)
bool(false)
string(4) "done"
bool(false)
