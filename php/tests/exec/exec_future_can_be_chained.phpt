--TEST--
The future of exec() can be chained with map()
--FILE--
<?php
use function Async\{exec, await};
echo await(exec("echo 20")->map(fn($r) => $r[0] * 2)->map(fn($n) => await(exec("echo $((" . $n . " + 2))"))[0])), "\n";
?>
--EXPECT--
42
