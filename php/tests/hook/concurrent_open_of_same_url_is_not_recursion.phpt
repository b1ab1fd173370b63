--TEST--
Two coroutines may open the same URL of a suspending user wrapper; real recursion is still detected
--FILE--
<?php
use function Async\{await_all_or_fail, delay, spawn};

class Wrapper
{
    public $context;
    public function stream_open($path): bool
    {
        delay(1);
        return !str_contains($path, 'itself') || fopen($path, 'r');
    }
    public function stream_eof(): bool { return true; }
}
stream_wrapper_register('my', Wrapper::class);
var_dump(array_map(is_resource(...), await_all_or_fail([
    spawn(fn () => fopen('my://same', 'r')),
    spawn(fn () => fopen('my://same', 'r')),
])));
spawn(fn () => fopen('my://itself', 'r'));
?>
--EXPECTF--
array(2) {
  [0]=>
  bool(true)
  [1]=>
  bool(true)
}

Warning: fopen(my://itself): Failed to open stream: infinite recursion prevented in %s on line %d

Warning: fopen(my://itself): Failed to open stream: "Wrapper::stream_open" call failed in %s on line %d
