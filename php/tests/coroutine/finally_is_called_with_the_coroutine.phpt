--TEST--
finally handlers get the coroutine when it has ended, whatever the end
--FILE--
<?php
use function Async\{spawn, suspend, await, delay};
foreach (['ok', 'throw', 'cancel'] as $how) {
    $c = spawn(function () use ($how) { if ($how === 'throw') throw new Exception('x'); delay(1); return $how; });
    $c->finally(function ($ended) use ($how, $c) { echo $how, ' ', json_encode([$ended === $c, $ended->isCompleted()]), "\n"; });
    if ($how === 'cancel') $c->cancel();
    try { await($c); } catch (Throwable) {}
    delay(1);
}
$c->finally(function () { echo "at once\n"; });
--EXPECT--
ok [true,true]
throw [true,true]
cancel [true,true]
at once
