--TEST--
finally() handlers get the finished coroutine, for every outcome
--FILE--
<?php
use function Async\{spawn, suspend, await, delay};
foreach (['ok', 'throw', 'cancel'] as $outcome) {
    $c = spawn(function () use ($outcome) { if ($outcome === 'throw') throw new Exception('x'); delay(1); return $outcome; });
    $c->finally(function ($finished) use ($outcome, $c) { echo $outcome, ' ', json_encode([$finished === $c, $finished->isCompleted()]), "\n"; });
    if ($outcome === 'cancel') $c->cancel();
    try { await($c); } catch (Throwable) {}
    delay(1);
}
$c->finally(function () { echo "already finished\n"; });
--EXPECT--
ok [true,true]
throw [true,true]
cancel [true,true]
already finished
