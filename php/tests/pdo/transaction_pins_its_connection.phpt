--TEST--
A transaction and an open statement pin the connection; the next coroutine waits
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (n INTEGER)');
$first = spawn(function () use ($pdo) {
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (1)');
    echo "first started\n";
    for ($i = 0; $i < 5; $i++) {
        suspend();
    }
    $pdo->commit();
    echo "first committed\n";
});
$second = spawn(function () use ($pdo) {
    $count = $pdo->query('SELECT count(*) FROM t')->fetchColumn();
    echo "second reads $count\n";
});
await($first);
await($second);
--EXPECT--
first started
first committed
second reads 1
