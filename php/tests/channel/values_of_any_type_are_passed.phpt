--TEST--
Null, arrays, objects and references are passed; a reference is passed by value
--FILE--
<?php
$ch = new Async\Channel(5);
$x = 1; $r = &$x;
$o = new stdClass;
foreach ([null, [1, [2]], $o, false] as $v) $ch->send($v);
$ch->send($r);
$x = 2;
var_dump($ch->recv(), $ch->recv() === [1, [2]], $ch->recv() === $o, $ch->recv(), $ch->recv());
?>
--EXPECT--
NULL
bool(true)
bool(true)
bool(false)
int(1)
