--TEST--
SH-04: reaching memory_limit in a coroutine is one fatal error; only shutdown functions run after it
--DESCRIPTION--
not under: asan
--INI--
memory_limit=32M
--FILE--
<?php
use function Async\{spawn, delay};
spawn(function () { try { delay(1000); } finally { echo "wrong\n"; } });
spawn(function () { delay(1); try { $s = str_repeat("x", 100000000); } finally { echo "wrong\n"; } });
try { delay(1000); } finally { echo "wrong\n"; }
--EXPECTF--

Fatal error: Allowed memory size of 33554432 bytes exhausted (tried to allocate %d bytes) in %s on line 4
