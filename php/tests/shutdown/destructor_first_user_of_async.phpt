--TEST--
A destructor may be the first in a program that waits
--FILE--
<?php
class D { function __destruct() { Async\delay(1); echo "waited\n"; } }
$d = new D;
--EXPECT--
waited
