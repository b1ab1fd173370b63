--TEST--
Empty commands, null bytes and negative timeouts throw
--FILE--
<?php
use function Async\exec;
class NotStringable {}
foreach ([fn() => exec(""), fn() => exec("a\0b"), fn() => exec("true", -1), fn() => exec("true", cwd: "a\0"), fn() => exec("true", env: [new NotStringable])] as $call) {
    try { $call(); echo "no error\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECT--
ValueError: Async\exec(): Argument #1 ($command) cannot be empty
ValueError: Async\exec(): Argument #1 ($command) must not contain any null bytes
ValueError: Async\exec(): Argument #2 ($timeout) must be greater than or equal to 0
ValueError: Async\exec(): Argument #3 ($cwd) must not contain any null bytes
Error: Object of class NotStringable could not be converted to string
