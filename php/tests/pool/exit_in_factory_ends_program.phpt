--TEST--
exit() in the factory ends the program; shutdown functions run
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $created = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$created; } }

register_shutdown_function(fn() => print("shutdown\n"));
$pool = new Pool(fn() => exit("exiting\n"));
$pool->acquire();
echo "never\n";
?>
--EXPECT--
exiting
shutdown
