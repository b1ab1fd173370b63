--TEST--
SWH-04: after an exception or a fatal error what was written is shown
--FILE--
<?php
use function Async\{spawn, suspend, await, delay};
$c = spawn(function () { ob_start(); echo "before the exception\n"; throw new Exception("x"); });
try { await($c); } catch (Exception $e) { echo "caught\n"; }
ob_start();
echo "main's own\n";
spawn(function () { ob_start(); echo "before the fatal error\n"; eval('function twice() {} function twice() {}'); });
delay(100);
--EXPECTF--
before the exception
caught
%Abefore the fatal error
%AFatal error: Cannot redeclare %Stwice()%A
main's own
