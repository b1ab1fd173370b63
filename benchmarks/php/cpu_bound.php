<?php
// Calls, arrays, strings and objects; does not use the extension.

function fibonacci(int $n): int
{
    return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2);
}

final class Point
{
    public function __construct(public float $x, public float $y) {}

    public function plus(Point $other): Point
    {
        return new Point($this->x + $other->x, $this->y + $other->y);
    }
}

$sum = 0;
for ($round = 0; $round < (int) $argv[1]; $round++) {
    $sum += fibonacci(14);
    $words = [];
    for ($i = 0; $i < 300; $i++) {
        $words["k$i"] = str_repeat(chr(97 + $i % 26), $i % 7);
    }
    ksort($words);
    $sum += strlen(implode(',', $words));
    $point = new Point(0, 0);
    for ($i = 0; $i < 300; $i++) {
        $point = $point->plus(new Point($i, -$i));
    }
    $sum += (int) $point->x;
}
echo $sum, "\n";
