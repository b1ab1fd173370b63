--TEST--
An unreachable result is destroyed in its callback's coroutine: the destructor may suspend, and its error is reported
--FILE--
<?php
use function Async\suspend;
function suspend_times(int $count) { while ($count--) suspend(); }
class D {
    function __construct(private string $name) {}
    function __destruct() {
        echo "$this->name begins\n";
        suspend_times(2);
        echo "$this->name ends\n";
        if ($this->name === 'throws') throw new Exception('from the destructor');
    }
}
foreach (['suspends', 'throws'] as $name) {
    $future = Async\Future::completed(1)->map(fn() => new D($name));
    if ($name === 'suspends') $future->ignore();
    unset($future);
    suspend_times(9);
}
// A result that only the next link uses.
Async\Future::completed(1)->map(fn() => new D('passed on'))->map(function ($d) { echo "received\n"; return 1; })->ignore();
suspend_times(9);
echo "end\n";
--EXPECTF--
suspends begins
suspends ends

Warning: Future was never used; call await(), map(), catch(), finally() or ignore() to suppress this warning. Created at %s:14 in %s on line %d
throws begins
throws ends

Warning: Unhandled exception in Future: from the destructor; use catch() or ignore() to handle. Created at %s:14 in %s on line %d
received
passed on begins
passed on ends
end
