--TEST--
SWH-04: buffered output is printed after an exception or a fatal error
--FILE--
<?php
use function Async\{spawn, suspend, await, delay};
$c = spawn(function () { ob_start(); echo "before the exception\n"; throw new Exception("x"); });
try { await($c); } catch (Exception $e) { echo "caught\n"; }
ob_start();
echo "buffered by main\n";
spawn(function () { ob_start(); echo "before the fatal error\n"; eval('function twice() {} function twice() {}'); });
delay(100);
--EXPECTF--
before the exception
caught
%Abefore the fatal error
%AFatal error: Cannot redeclare %Stwice()%A
buffered by main
