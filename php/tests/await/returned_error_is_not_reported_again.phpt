--TEST--
AW-03: an error that await_all() returned is observed and is not reported again
--FILE--
<?php
use function Async\{spawn, await_all, suspend};
$c = spawn(fn() => throw new Exception("once"));
[, $e] = await_all([$c]);
echo $e[0]->getMessage(), "\n";
unset($c, $e);
suspend();
echo "end\n";
?>
--EXPECT--
once
end
