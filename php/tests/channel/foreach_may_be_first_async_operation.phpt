--TEST--
CH-13: foreach on a channel may be the first asynchronous operation
--FILE--
<?php
$ch = new Async\Channel(2);
$ch->sendAsync("a");
$ch->sendAsync("b");
$ch->close();
foreach ($ch as $v) echo $v, "\n";
?>
--EXPECT--
a
b
