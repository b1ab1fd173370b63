--TEST--
CTX-03: PHP 8.3 and later throw before recursive callbacks overflow a coroutine's stack; other coroutines continue
--SKIPIF--
<?php if (PHP_VERSION_ID < 80300) die('skip PHP has no stack limit before 8.3');
--INI--
memory_limit=1G
async.stack_size=256K
--FILE--
<?php
use function Async\{await, delay, spawn};
function deep($n) {
    return array_map('deep', [$n + 1]);
}
$other = spawn(function () { delay(1); return "the other coroutine continues\n"; });
for ($i = 0; $i < 2; $i++) {
    try {
        await(spawn(deep(...), 0));
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
// A coroutine that catches the error continues, and so does the main script, whose stack is larger.
echo await(spawn(function () {
    try { deep(0); } catch (Error) { delay(1); return "caught inside\n"; }
}));
function count_down($n) { return $n ? array_map('count_down', [$n - 1]) : []; }
count_down(2000);
echo await($other);
--EXPECTF--
Maximum call stack size of %d bytes (zend.max_allowed_stack_size - zend.reserved_stack_size) reached. Infinite recursion?
Maximum call stack size of %d bytes (zend.max_allowed_stack_size - zend.reserved_stack_size) reached. Infinite recursion?
caught inside
the other coroutine continues
