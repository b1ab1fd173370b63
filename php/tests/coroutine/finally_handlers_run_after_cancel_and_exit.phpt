--TEST--
finally() handlers run if the scope is cancelled or exit() is called before they start, also those of tasks
--FILE--
<?php
use function Async\{spawn, delay, current_coroutine};
$scope = new Async\Scope;
$scope->spawn(fn() => 1)->finally(fn() => print("scope cancelled\n"));
spawn(fn() => $scope->cancel());
delay(2);
$group = new Async\TaskGroup;
$group->spawn(function () { current_coroutine()->finally(fn($c) => print("task: {$c->getResult()}\n")); return 5; });
$group->close();
$group->awaitCompletion();
delay(2);
$scope = new Async\Scope;
$scope->spawn(fn() => 1);
$scope->finally(function () { current_coroutine()->finally(fn() => print("finally of a scope's finally\n")); });
$scope->dispose();
delay(2);
spawn(fn() => 1)->finally(fn() => print("exit\n"));
spawn(function () { exit(0); });
delay(1000);
echo "wrong\n";
--EXPECT--
scope cancelled
task: 5
finally of a scope's finally
exit
