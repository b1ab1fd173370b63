<?php
// Concurrent iteration: at most three downloads at a time, over a generator too, and the first bad one stops the rest.
use function Async\{delay, iterate};

$now = 0;
$highest = 0;
iterate(['a', 'b', 'c', 'd', 'e', 'f', 'g'], function (string $name) use (&$now, &$highest) {
    $highest = max($highest, ++$now);
    delay(2);
    $now--;
}, concurrency: 3);
echo "$highest at a time\n";

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
