--TEST--
Arguments may be passed by the names in the interface
--FILE--
<?php
Async\delay(ms: 0);
echo Async\await(awaitable: Async\spawn(task: fn() => 'named'), cancellation: null), "\n";
$channel = new Async\Channel(hardTimeouts: false, capacity: 2);
echo $channel->capacity(), "\n";
?>
--EXPECT--
named
2
