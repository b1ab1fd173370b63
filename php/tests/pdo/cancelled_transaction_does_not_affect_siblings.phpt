--TEST--
DB-17: a coroutine cancelled in its transaction does not affect other coroutines
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool();
$pdo->exec('CREATE TABLE t (n INTEGER)');
for ($round = 0; $round < 20; $round++) {
    $cancelled = spawn(function () use ($pdo) {
        $pdo->beginTransaction();
        $statement = $pdo->query('SELECT 1');
        delay(10000);
    });
    $sibling = spawn(function () use ($pdo) {
        $statement = $pdo->query('SELECT 1 UNION SELECT 2');
        suspend();
        suspend();
        return count($statement->fetchAll());
    });
    suspend();
    $cancelled->cancel();
    echo await($sibling);
    try {
        await($cancelled);
    } catch (Cancellation) {
    }
}
echo "\n", counts($pdo), "\n";
--EXPECT--
22222222222222222222
count=2 idle=2 active=0
