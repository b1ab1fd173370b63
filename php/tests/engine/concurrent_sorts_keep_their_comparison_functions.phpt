--TEST--
Concurrent sorts whose comparison functions suspend do not mix up the functions
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
function sorted(int $suspensions, int $order) {
    $a = [5, 3, 9, 1, 7, 2, 8];
    usort($a, function ($x, $y) use ($suspensions, $order) {
        for ($i = 0; $i < $suspensions; $i++) suspend();
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
