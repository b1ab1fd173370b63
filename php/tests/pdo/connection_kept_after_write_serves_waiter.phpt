--TEST--
A connection kept after a write for lastInsertId() is released when another coroutine needs it
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
$pdo->exec('INSERT INTO t VALUES (5)');
echo counts($pdo), "\n";
echo run_in_coroutine(function () use ($pdo) {
    $pdo->exec('INSERT INTO t VALUES (9)');
    return $pdo->lastInsertId();
}), "\n";
echo $pdo->lastInsertId(), "\n";
echo run_in_coroutine(fn() => $pdo->lastInsertId()), "\n";
--EXPECT--
count=1 idle=0 active=1
9
5
0
