--TEST--
An autoloader that starts the runtime belongs to the main coroutine; other coroutines wait for its class
--DESCRIPTION--
not under: asan
--FILE--
<?php
spl_autoload_register(function (string $class) {
    Async\spawn(function () use ($class) {
        $exists = var_export(class_exists($class), true);
        echo "other: $exists\n";
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
