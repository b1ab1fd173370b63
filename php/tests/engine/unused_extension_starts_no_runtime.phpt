--TEST--
The extension creates no descriptors or threads until it is used
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
$before = count(glob('/proc/self/fd/*'));
for ($i = 0, $s = 0; $i < 1000; $i++) $s += $i;
var_dump($s, count(glob('/proc/self/fd/*')) === $before, count(glob('/proc/self/task/*')));
--EXPECT--
int(499500)
bool(true)
int(1)
