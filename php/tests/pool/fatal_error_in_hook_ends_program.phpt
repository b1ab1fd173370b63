--TEST--
A fatal error in a hook ends the program with an orderly shutdown
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

$pool = new Pool(fn() => new Conn, beforeRelease: function ($c) { eval('class Conn {}'); });
$conn = $pool->acquire();
$pool->release($conn);
echo "never\n";
?>
--EXPECTF--
%AFatal error: Cannot %Sdeclare class Conn%a
