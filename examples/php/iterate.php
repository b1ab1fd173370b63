<?php
// Concurrent iteration: at most three calls at a time; over a generator; the first error stops the iteration.
use function Async\{delay, iterate};

$running = 0;
$maxRunning = 0;
iterate(['a', 'b', 'c', 'd', 'e', 'f', 'g'], function (string $name) use (&$running, &$maxRunning) {
    $maxRunning = max($maxRunning, ++$running);
    delay(2);
    $running--;
}, concurrency: 3);
echo "$maxRunning at a time\n";

function numbers(): Generator
{
    for ($i = 1; $i <= 100; $i++) {
        yield "number $i" => $i;
    }
}

$sum = 0;
iterate(numbers(), function (int $number, string $name) use (&$sum) {
    delay(1);
    $sum += $number;
});
echo "sum $sum\n";

try {
    iterate([1, 2, 3], function (int $number) {
        delay($number === 2 ? 1 : 3_600_000);
        throw new RuntimeException("number $number is bad");
    });
} catch (RuntimeException $error) {
    echo $error->getMessage(), "\n";
}
