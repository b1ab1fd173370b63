--TEST--
A coroutine that needs a class another coroutine is loading waits until the class is declared
--FILE--
<?php
use function Async\{spawn, await, await_all, delay, suspend, current_coroutine};
$calls = [];
spl_autoload_register(function (string $class) use (&$calls) {
    $calls[] = $class;
    delay(2);
    if ($class === 'Missing') return;
    if ($class === 'Throwing' && count(array_keys($calls, $class)) === 1) throw new LogicException('the first fails');
    eval("class $class { const NAME = '$class'; }");
});

echo "two coroutines need one class\n";
[$results, $errors] = await_all([spawn(fn() => One::NAME), spawn(fn() => (new ReflectionClass('one'))->getName()), spawn(fn() => class_exists('ONE'))]);
var_dump($results, count($errors));

echo "the loader finds nothing: each coroutine calls it in turn\n";
[$results] = await_all([spawn(fn() => class_exists('Missing')), spawn(fn() => class_exists('Missing'))]);
echo json_encode($results), ' ', count(array_keys($calls, 'Missing')), "\n";

echo "the loader throws: the next waiter loads\n";
[$results, $errors] = await_all([spawn(fn() => Throwing::NAME), spawn(fn() => Throwing::NAME), spawn(fn() => Throwing::NAME)]);
echo json_encode($results), ' ', $errors[0]->getMessage(), ' ', count(array_keys($calls, 'Throwing')), "\n";

echo "the loading coroutine is cancelled: the next waiter loads\n";
$first = spawn(fn() => Two::NAME);
$second = spawn(fn() => Two::NAME);
suspend();
suspend();
$first->cancel();
echo await($second), ' ', count(array_keys($calls, 'Two')), "\n";

echo "a waiter is cancelled\n";
$first = spawn(fn() => Three::NAME);
$second = spawn(function () { try { return Three::NAME; } catch (Cancellation $e) { return get_class($e); } });
$third = spawn(fn() => Three::NAME);
suspend();
suspend();
print_r($second->getAwaitingInfo());
$second->cancel();
echo await($second), ' ', await($first), ' ', await($third), ' ', count(array_keys($calls, 'Three')), "\n";

echo "main waits too\n";
spawn(fn() => Four::NAME);
suspend();
echo Four::NAME, ' ', count(array_keys($calls, 'Four')), "\n";
--EXPECT--
two coroutines need one class
array(3) {
  [0]=>
  string(3) "One"
  [1]=>
  string(3) "One"
  [2]=>
  bool(true)
}
int(0)
the loader finds nothing: each coroutine calls it in turn
[false,false] 2
the loader throws: the next waiter loads
{"1":"Throwing","2":"Throwing"} the first fails 2
the loading coroutine is cancelled: the next waiter loads
Two 2
a waiter is cancelled
Array
(
    [0] => the loading of class three
)
Async\AsyncCancellation Three Three 1
main waits too
Four 1
