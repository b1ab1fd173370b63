--TEST--
Where a coroutine was spawned and suspended is known when the evaluated code that did it is long gone
--FILE--
<?php
use function Async\{spawn, suspend};
$coroutines = [];
for ($i = 0; $i < 3; $i++) {
    $coroutines[] = eval('return Async\spawn(eval("return function () { Async\suspend(); };"));');
    $futures[] = eval("\n\nreturn new Async\FutureState;");
}
suspend();
suspend();
$garbage = [];
for ($i = 0; $i < 100; $i++) $garbage[] = str_repeat(chr(65 + $i % 26), 20 + $i);
foreach ($coroutines as $one) echo basename($one->getSpawnLocation()), ' | ', basename($one->getSuspendLocation()), "\n";
foreach ($futures as $one) echo basename($one->getCreatedLocation()), "\n";
--EXPECT--
places_of_evaluated_code_outlast_it.php(5) : eval()'d code:1 | places_of_evaluated_code_outlast_it.php(5) : eval()'d code(1) : eval()'d code:1
places_of_evaluated_code_outlast_it.php(5) : eval()'d code:1 | places_of_evaluated_code_outlast_it.php(5) : eval()'d code(1) : eval()'d code:1
places_of_evaluated_code_outlast_it.php(5) : eval()'d code:1 | places_of_evaluated_code_outlast_it.php(5) : eval()'d code(1) : eval()'d code:1
places_of_evaluated_code_outlast_it.php(6) : eval()'d code:3
places_of_evaluated_code_outlast_it.php(6) : eval()'d code:3
places_of_evaluated_code_outlast_it.php(6) : eval()'d code:3
