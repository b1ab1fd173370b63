--TEST--
Sorts whose comparisons wait keep them apart
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
function sorted(int $turns, int $order) {
    $a = [5, 3, 9, 1, 7, 2, 8];
    usort($a, function ($x, $y) use ($turns, $order) {
        for ($i = 0; $i < $turns; $i++) suspend();
        return $order * ($x <=> $y);
    });
    return implode(',', $a);
}
[$results, $errors] = await_all([spawn('sorted', 1, 1), spawn('sorted', 3, -1), spawn('sorted', 2, 1)]);
print_r($results);
var_dump(count($errors));
--EXPECT--
Array
(
    [0] => 1,2,3,5,7,8,9
    [1] => 9,8,7,5,3,2,1
    [2] => 1,2,3,5,7,8,9
)
int(0)
