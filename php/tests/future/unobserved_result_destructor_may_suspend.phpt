--TEST--
What a link of a chain has made, and nobody can ask for any more, goes in the link's coroutine: its destructor may wait, and what it throws is told
--FILE--
<?php
use function Async\suspend;
function turns(int $count) { while ($count--) suspend(); }
class D {
    function __construct(private string $name) {}
    function __destruct() {
        echo "$this->name begins\n";
        turns(2);
        echo "$this->name ends\n";
        if ($this->name === 'throws') throw new Exception('from the destructor');
    }
}
foreach (['waits', 'throws'] as $name) {
    $future = Async\Future::completed(1)->map(fn() => new D($name));
    if ($name === 'waits') $future->ignore();
    unset($future);
    turns(9);
}
// One that is wanted by the next link only.
Async\Future::completed(1)->map(fn() => new D('passed on'))->map(function ($d) { echo "has it\n"; return 1; })->ignore();
turns(9);
echo "end\n";
--EXPECTF--
waits begins
waits ends

Warning: A future was never used: await it, chain it, or call ignore() (made at %s:14) in %s on line %d
throws begins
throws ends

Warning: A future failed and nobody took the error, Exception: from the destructor; %s (made at %s:14) in %s on line %d
has it
passed on begins
passed on ends
end
