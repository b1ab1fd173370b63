--TEST--
A cancelled query and a query whose session is killed end immediately; the next connection works
--EXTENSIONS--
pdo
mysqlnd
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/../pdo/db.inc';
use function Async\{await, delay, spawn};

$admin = server_pool('mysql', [], false);
function query(PDO $pdo): Async\Coroutine
{
    return spawn(function () use ($pdo) {
        try {
            $pdo->query('SELECT sleep(3600)')->fetchAll();
            echo "completed\n";
        } catch (Cancellation | PDOException $error) {
            echo $error::class, "\n";
        }
    });
}
$pdo = server_pool('mysql', [], false);
$session = server_session($pdo);
$query = query($pdo);
delay(50);
$query->cancel();
await($query);
unset($pdo, $query);
@kill_session($admin, $session);

$pdo = server_pool('mysql', [], false);
$session = server_session($pdo);
$query = query($pdo);
delay(50);
kill_session($admin, $session);
await($query);
var_dump(server_pool('mysql', [], false)->query('SELECT 42')->fetchColumn());
?>
--EXPECT--
Async\AsyncCancellation
PDOException
int(42)
