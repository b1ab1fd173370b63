--TEST--
Destroying a channel fails its pending recvAsync() futures
--FILE--
<?php
use Async\{Channel, ChannelException};
$future = (new Channel(1))->recvAsync();
try { $future->await(); } catch (ChannelException $e) { var_dump($e->reason); }
?>
--EXPECT--
enum(Async\ChannelCloseReason::DISPOSED)
