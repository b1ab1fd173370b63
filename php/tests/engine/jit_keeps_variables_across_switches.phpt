--TEST--
ST-08: with the tracing JIT enabled, variables keep their values across switches
--DESCRIPTION--
not under: asan
not under: jit
--INI--
zend_extension=opcache.so
opcache.enable_cli=1
opcache.jit_buffer_size=16M
opcache.jit=tracing
--FILE--
<?php
use function Async\{spawn, await, suspend};
function work($seed) { $a = $seed; $b = 0.5; $s = ''; for ($i = 0; $i < 20000; $i++) { $a = ($a * 31 + $i) % 1000003; $b += 0.25; if ($i % 50 === 0) { suspend(); $s = "$a"; } } return "$a $b $s"; }
function plain($seed) { $a = $seed; $b = 0.5; $s = ''; for ($i = 0; $i < 20000; $i++) { $a = ($a * 31 + $i) % 1000003; $b += 0.25; if ($i % 50 === 0) { $s = "$a"; } } return "$a $b $s"; }
$all = [];
for ($i = 0; $i < 5; $i++) $all[$i] = spawn('work', $i);
foreach ($all as $i => $c) var_dump(await($c) === plain($i));
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
