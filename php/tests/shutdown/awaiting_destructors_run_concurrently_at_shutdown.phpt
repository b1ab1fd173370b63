--TEST--
SWH-05 SH-07: at shutdown a destructor that awaits does not block the other destructors
--FILE--
<?php
use function Async\{spawn, delay};
class D { public $self; function __construct(public $n) {} function __destruct() { echo "{$this->n} begins\n"; delay(40 * (4 - $this->n)); echo "{$this->n} ends\n"; } }
spawn(fn() => 0);
$a = new D(1); $b = new D(2); $c = new D(3);
$c->self = $c;
echo "main ends\n";
--EXPECTF--
main ends
%d begins
%d begins
%d begins
3 ends
2 ends
1 ends
