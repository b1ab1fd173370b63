--TEST--
Wrong argument types and counts throw TypeError, ArgumentCountError and ValueError as in PHP
--FILE--
<?php
foreach ([fn() => Async\delay(), fn() => Async\delay([]), fn() => Async\await(1), fn() => Async\spawn('no such function'),
    fn() => Async\suspend(1), fn() => Async\timeout('x'), fn() => Async\timeout(0), fn() => Async\await_all(5),
    fn() => Async\spawn_with(new stdClass(), fn() => 1), fn() => Async\delay(ms: 0, other: 1)] as $call) {
    try {
        $call();
        echo "no error\n";
    } catch (Throwable $error) {
        echo get_class($error), "\n";
    }
}
?>
--EXPECT--
ArgumentCountError
TypeError
TypeError
TypeError
ArgumentCountError
TypeError
ValueError
TypeError
TypeError
Error
