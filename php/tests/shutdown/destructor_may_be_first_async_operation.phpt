--TEST--
A destructor at shutdown may be the first asynchronous operation
--FILE--
<?php
class D { function __destruct() { Async\delay(1); echo "waited\n"; } }
$d = new D;
--EXPECT--
waited
