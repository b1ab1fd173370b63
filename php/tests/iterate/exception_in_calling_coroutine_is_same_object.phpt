--TEST--
An exception of a callback that did not suspend is thrown as the same object
--FILE--
<?php
use Async\{AsyncCancellation, CompositeException, Scope};
use function Async\{iterate, spawn, await, suspend, delay, current_coroutine, get_coroutines, current_context, timeout};
$error = new LogicException("x");
try { iterate([1, 2], function ($v) use ($error) { echo $v, "\n"; throw $error; }); } catch (LogicException $e) { var_dump($e === $error); }
?>
--EXPECT--
1
bool(true)
