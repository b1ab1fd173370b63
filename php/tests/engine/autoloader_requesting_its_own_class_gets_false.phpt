--TEST--
class_exists() of the class being loaded is false in its loader, and in a loader that would wait in a cycle
--FILE--
<?php
use function Async\{spawn, await, await_all, delay};
spl_autoload_register(function (string $class) {
    delay(1);
    switch ($class) {
        case 'Own':
            echo 'Own while it is loaded: ', var_export(class_exists('Own'), true), "\n";
            eval('class Own {}');
            break;
        case 'Left':
        case 'Right':
            $other = $class === 'Left' ? 'Right' : 'Left';
            delay(2);
            $exists = var_export(class_exists($other), true);
            echo "$class needs $other: $exists\n";
            eval("class $class {}");
            break;
    }
});
var_dump(await(spawn(fn() => class_exists('Own'))));
[$results] = await_all([spawn(fn() => class_exists('Left')), spawn(fn() => class_exists('Right'))]);
echo json_encode($results), "\n";
--EXPECT--
Own while it is loaded: false
bool(true)
Right needs Left: false
Left needs Right: true
[true,true]
