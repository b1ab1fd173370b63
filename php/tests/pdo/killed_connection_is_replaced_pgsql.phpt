--TEST--
DB-11 DB-12 DB-14: a connection that the server closed is replaced, whether idle or in use
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 2]);
$admin = server_pool('pgsql', [], false);
// Idle: detected before the connection is leased.
$session = server_session($pdo);
kill_session($admin, $session);
var_dump(server_session($pdo) !== $session);
echo counts($pdo), "\n";
// Leased: one error, then the next call works.
run_in_coroutine(function () use ($pdo, $admin) {
    $pdo->beginTransaction();
    $session = server_session($pdo);
    kill_session($admin, $session);
    try {
        $pdo->query('SELECT 1');
        echo "not noticed\n";
    } catch (PDOException $error) {
        echo "lost\n";
    }
    var_dump($pdo->inTransaction(), server_session($pdo) !== $session);
});
echo counts($pdo), "\n";
// Leased with an open statement.
run_in_coroutine(function () use ($pdo, $admin) {
    $statement = $pdo->prepare('SELECT ?');
    $statement->execute([1]);
    kill_session($admin, server_session($pdo));
    try {
        $statement->execute([2]);
        echo "not noticed\n";
    } catch (PDOException) {
        echo "lost\n";
    }
    var_dump($pdo->query('SELECT 3')->fetchColumn());
});
var_dump($pdo->getPool()->activeCount(), $pdo->query('SELECT 4')->fetchColumn());
--EXPECT--
bool(true)
count=1 idle=1 active=0
lost
bool(false)
bool(true)
count=1 idle=1 active=0
lost
int(3)
int(0)
int(4)
