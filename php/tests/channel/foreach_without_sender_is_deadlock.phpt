--TEST--
CH-13 CH-14: foreach on a channel without any sender throws with the reason DEADLOCK
--FILE--
<?php
$ch = new Async\Channel();
try { foreach ($ch as $v) echo "never\n"; }
catch (Async\ChannelException $e) { var_dump($e->reason); }
?>
--EXPECTF--
%Aenum(Async\ChannelCloseReason::DEADLOCK)
