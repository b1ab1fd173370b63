--TEST--
flock() suspends until another coroutine unlocks; LOCK_NB returns immediately
--FILE--
<?php
use function Async\{await, spawn};

$path = tempnam(sys_get_temp_dir(), 'trueasync-hook-');
$first = fopen($path, 'r+');
$second = fopen($path, 'r+');
flock($first, LOCK_EX);
$waiter = spawn(function () use ($second) {
    var_dump(flock($second, LOCK_EX | LOCK_NB, $would_block), $would_block);
    echo "waiting\n";
    var_dump(flock($second, LOCK_EX));
    echo "locked\n";
    flock($second, LOCK_UN);
});
spawn(function () use ($first) {
    echo "unlocking\n";
    flock($first, LOCK_UN);
});
await($waiter);
unlink($path);
?>
--EXPECT--
bool(false)
int(1)
waiting
unlocking
bool(true)
locked
