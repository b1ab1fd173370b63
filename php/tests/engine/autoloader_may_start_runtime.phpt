--TEST--
A loader that is the first to use the runtime is known as main's: others wait for the class
--FILE--
<?php
spl_autoload_register(function (string $class) {
    Async\spawn(function () use ($class) {
        $is_there = var_export(class_exists($class), true);
        echo "other: $is_there\n";
    });
    Async\delay(2);
    echo "again: ", var_export(class_exists($class), true), "\n";
    eval("class $class {}");
    echo "loaded\n";
});
var_dump(class_exists('First'));
Async\delay(1);
var_dump(class_exists('First'));
--EXPECT--
again: false
loaded
bool(true)
other: true
bool(true)
