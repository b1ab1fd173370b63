--TEST--
A loader that needs the class it loads is told that there is none, as in PHP; so is one that would wait for itself in a ring
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
            $is_there = var_export(class_exists($other), true);
            echo "$class needs $other: $is_there\n";
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
