--TEST--
A coroutine that waits for a channel no other code references is collected and unwound
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
foreach ([
    "recv" => fn($ch) => $ch->recv(),
    "send" => fn($ch) => $ch->send(1),
    "foreach" => function ($ch) { foreach ($ch as $v); },
    "foreach later" => function ($ch) { $ch->sendAsync(1); foreach ($ch as $v); },
] as $name => $wait) {
    spawn(function () use ($name, $wait) {
        $ch = new Channel($name === "foreach later" ? 1 : 0);
        try { $wait($ch); } finally { echo "$name unwound\n"; }
    });
}
$kept = new Channel;
spawn(function () use ($kept) { foreach ($kept as $v) echo "$v\n"; echo "closed\n"; });
$later = new Channel(1);
$later->sendAsync("first");
spawn(function () use ($later) { foreach ($later as $v) echo "$v\n"; echo "closed later\n"; });
suspend();
gc_collect_cycles();
suspend();
$kept->send("kept");
$kept->close();
suspend();
$later->send("second");
$later->close();
?>
--EXPECT--
first
recv unwound
send unwound
foreach unwound
foreach later unwound
kept
closed
second
closed later
