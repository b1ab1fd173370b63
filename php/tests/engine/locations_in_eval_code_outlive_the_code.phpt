--TEST--
Spawn and suspend locations in evaluated code remain valid after the code is freed
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
foreach ($coroutines as $coroutine) echo basename($coroutine->getSpawnLocation()), ' | ', basename($coroutine->getSuspendLocation()), "\n";
foreach ($futures as $future) echo basename($future->getCreatedLocation()), "\n";
--EXPECT--
locations_in_eval_code_outlive_the_code.php(5) : eval()'d code:1 | locations_in_eval_code_outlive_the_code.php(5) : eval()'d code(1) : eval()'d code:1
locations_in_eval_code_outlive_the_code.php(5) : eval()'d code:1 | locations_in_eval_code_outlive_the_code.php(5) : eval()'d code(1) : eval()'d code:1
locations_in_eval_code_outlive_the_code.php(5) : eval()'d code:1 | locations_in_eval_code_outlive_the_code.php(5) : eval()'d code(1) : eval()'d code:1
locations_in_eval_code_outlive_the_code.php(6) : eval()'d code:3
locations_in_eval_code_outlive_the_code.php(6) : eval()'d code:3
locations_in_eval_code_outlive_the_code.php(6) : eval()'d code:3
