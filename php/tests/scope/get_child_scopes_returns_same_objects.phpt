--TEST--
getChildScopes() returns the same objects, and only scopes that still exist
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
$parent = new Scope();
$a = Scope::inherit($parent);
$b = Scope::inherit($parent);
$grandchild = Scope::inherit($a);
var_dump($parent->getChildScopes() === [$a, $b], $a->getChildScopes() === [$grandchild], $b->getChildScopes());
unset($b);
var_dump(count($parent->getChildScopes()));
$a->spawn(function () { delay(1); });
unset($a, $grandchild);
[$again] = $parent->getChildScopes();
var_dump($again->isClosed(), $again instanceof Scope);
delay(2);
unset($again);
var_dump($parent->getChildScopes());
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
int(1)
bool(true)
bool(true)
array(0) {
}
