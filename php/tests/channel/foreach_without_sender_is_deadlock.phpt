--TEST--
CH-13 CH-14: foreach that nobody will ever send to ends with the reason deadlock
--FILE--
<?php
$ch = new Async\Channel();
try { foreach ($ch as $v) echo "never\n"; }
catch (Async\ChannelException $e) { var_dump($e->reason); }
?>
--EXPECTF--
%Aenum(Async\ChannelCloseReason::DEADLOCK)
