<?php
// Two coroutines wait concurrently: the sum is printed after 50 ms, not after 60 ms.
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
$slow->cancel();                         // already finished: no effect
