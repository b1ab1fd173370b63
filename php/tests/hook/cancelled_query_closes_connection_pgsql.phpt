--TEST--
A cancelled query closes its connection: the next query fails and does not read the previous answer
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/../pdo/db.inc';
use function Async\{await, delay, spawn};

foreach ([false, true] as $emulated) {
    $pdo = server_pool('pgsql', [], false);
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
    $query = spawn(fn() => $pdo->query("SELECT 'slow' FROM pg_sleep(0.1)")->fetchColumn());
    delay(30);
    $query->cancel();
    try {
        await($query);
    } catch (Cancellation $error) {
        echo $error::class, "\n";
    }
    delay(150);
    for ($i = 0; $i < 2; $i++) {
        try {
            var_dump($pdo->query("SELECT 'q$i'")->fetchColumn());
        } catch (PDOException $error) {
            echo $error->getMessage(), "\n";
        }
    }
}
?>
--EXPECT--
Async\AsyncCancellation
SQLSTATE[HY000]: General error: 7 no connection to the server
SQLSTATE[HY000]: General error: 7 no connection to the server
Async\AsyncCancellation
SQLSTATE[HY000]: General error: 7 no connection to the server
SQLSTATE[HY000]: General error: 7 no connection to the server
