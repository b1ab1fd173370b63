<?php
// Two coroutines wait at the same time; the sum is there after 50 ms, not 60.
use function Async\{await, delay, spawn};

$slow = spawn(function () {
    delay(50);  // suspends this coroutine only
    return 2;
});
$fast = spawn(function () {
    delay(10);
    return 1;
});
echo await($fast) + await($slow), "\n";  // 3
$slow->cancel();                         // already done: nothing happens
