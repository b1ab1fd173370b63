--TEST--
exit() in a hook or in the factory ends the program; shutdown functions run
--FILE--
<?php
use Async\Pool;
use function Async\{spawn, await, delay, suspend};
class Conn { static int $made = 0; public int $n; public bool $ok = true; function __construct() { $this->n = ++self::$made; } }

register_shutdown_function(fn() => print("shutdown\n"));
$pool = new Pool(fn() => exit("bye\n"));
$pool->acquire();
echo "never\n";
?>
--EXPECT--
bye
shutdown
