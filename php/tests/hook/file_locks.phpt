--TEST--
flock suspends until the other coroutine lets go; LOCK_NB answers at once
--FILE--
<?php
use function Async\{await, spawn};

$path = tempnam(sys_get_temp_dir(), 'trueasync-hook-');
$first = fopen($path, 'r+');
$second = fopen($path, 'r+');
flock($first, LOCK_EX);
$waiter = spawn(function () use ($second) {
    var_dump(flock($second, LOCK_EX | LOCK_NB, $would_block), $would_block);
    echo "waits\n";
    var_dump(flock($second, LOCK_EX));
    echo "has it\n";
    flock($second, LOCK_UN);
});
spawn(function () use ($first) {
    echo "lets go\n";
    flock($first, LOCK_UN);
});
await($waiter);
unlink($path);
?>
--EXPECT--
bool(false)
int(1)
waits
lets go
bool(true)
has it
