--TEST--
DB-08: the PDO object may be destroyed while the rollback at the end of a coroutine waits for the server
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
for ($round = 0; $round < 10; $round++) {
    $temporary = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 2]);
    $all = [];
    for ($i = 0; $i < 3; $i++) {
        $all[] = spawn(function () use ($temporary, $i) {
            $temporary->beginTransaction();
            $statement = $temporary->query('SELECT 1');
            suspend();
            $temporary = null;
        });
    }
    suspend();
    $temporary = null;
    foreach ($all as $coroutine) {
        await($coroutine);
    }
    unset($all, $coroutine);
}
var_dump($pdo->query('SELECT 1')->fetchColumn());
--EXPECT--
int(1)
