--TEST--
Channels and timeouts can be awaited; a channel completes with its next value
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await_any_or_fail, await_all, timeout};
$a = new Channel();
$b = new Channel();
spawn(fn() => $b->send("from b"));
var_dump(await_any_or_fail([$a, $b]));
[$r, $e] = await_all(["t" => timeout(1)]);
var_dump($r, get_class($e["t"]));
?>
--EXPECT--
string(6) "from b"
array(0) {
}
string(22) "Async\TimeoutException"
