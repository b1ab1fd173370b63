--TEST--
Cycles through the contexts of scopes and coroutines are collected
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class N { public $to; function __construct(private $name) {} function __destruct() { echo $this->name, "\n"; } }
function scope_cycle(): void {
    $scope = new Scope();
    await($scope->spawn(function () use ($scope) { $n = new N('scope'); $n->to = [$scope, current_context()]; current_context()->set('n', $n); }));
}
function coroutine_cycle(): void {
    $c = spawn(fn() => 1);
    $n = new N('coroutine');
    $n->to = $c;
    $c->getContext()->set($n, $n);
    await($c);
}
scope_cycle();
coroutine_cycle();
echo gc_collect_cycles() > 0 ? "collected" : "not collected", "\n";
?>
--EXPECT--
scope
coroutine
collected
