--TEST--
A suspended error handler stays active for other coroutines, but is not called for its own errors
--FILE--
<?php
use function Async\{spawn, await_all, delay, suspend};
function handler($number, $text) {
    echo "begins: $text\n";
    delay(2);
    if (!str_contains($text, 'own')) echo @$own_of_handler;
    echo "ends: $text\n";
    return true;
}
set_error_handler('handler');
await_all([
    spawn(function () { echo $first; }),
    spawn(function () { echo $second; }),
]);
echo "another handler set during the suspension stays set\n";
await_all([
    spawn(function () { echo $third; echo $fourth; }),
    spawn(function () {
        suspend();
        set_error_handler(function ($number, $text) { echo "other: $text\n"; });
        echo $fifth;
    }),
]);
echo $sixth;
restore_error_handler();
echo $seventh;
restore_error_handler();
echo "a handler removed during the suspension stays removed\n";
set_error_handler($h = function ($number, $text) { echo "closure: $text\n"; delay(1); });
await_all([spawn(function () { echo $eighth; delay(1); echo "after\n"; }), spawn(fn() => delay(4))]);
restore_error_handler();
await_all([spawn(function () use ($h) { suspend(); $h(0, 'called directly'); }), spawn(fn() => delay(2))]);
var_dump(set_error_handler(null));
--EXPECT--
begins: Undefined variable $first
begins: Undefined variable $second
ends: Undefined variable $first
ends: Undefined variable $second
another handler set during the suspension stays set
begins: Undefined variable $third
other: Undefined variable $fifth
other: Undefined variable $own_of_handler
ends: Undefined variable $third
other: Undefined variable $fourth
other: Undefined variable $sixth
begins: Undefined variable $seventh
ends: Undefined variable $seventh
a handler removed during the suspension stays removed
closure: Undefined variable $eighth
after
closure: called directly
NULL
