--TEST--
An error passes through ten thousand chained futures without recursion
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\{spawn, await};
$state = new FutureState();
$f = new Future($state);
for ($i = 0; $i < 10000; ++$i) $f = $f->map(fn($x) => $x);
spawn(fn() => $state->error(new Exception("through")));
try { await($f); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
through
