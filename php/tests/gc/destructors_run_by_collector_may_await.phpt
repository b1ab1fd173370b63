--TEST--
GC-02 ST-03: a destructor run by the collector may await; the collector finishes and returns its count
--FILE--
<?php
use function Async\{spawn, delay, suspend, await};
class D { public $self; function __construct() { $this->self = $this; } function __destruct() { echo "begin\n"; delay(1); echo "end\n"; } }
for ($i = 0; $i < 2; $i++) new D;
for ($i = 0; $i < 10; $i++) { $a = new stdClass; $a->a = $a; unset($a); }
spawn(function () { echo "other coroutine\n"; });
var_dump(gc_collect_cycles() >= 10);
var_dump(gc_collect_cycles());
--EXPECT--
begin
other coroutine
end
begin
end
bool(true)
int(0)
