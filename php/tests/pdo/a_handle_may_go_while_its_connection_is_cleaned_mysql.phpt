--TEST--
DB-08 the PDO object goes while the rollback of a coroutine's end waits for the server
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


$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 2]);
$admin = server_pool('mysql', [], false);
for ($round = 0; $round < 10; $round++) {
    $own = server_pool('mysql', [PDO::ATTR_POOL_MAX => 2]);
    $all = [];
    for ($i = 0; $i < 3; $i++) {
        $all[] = spawn(function () use ($own, $i) {
            $own->beginTransaction();
            $statement = $own->query('SELECT 1');
            suspend();
            $own = null;
        });
    }
    suspend();
    $own = null;
    foreach ($all as $one) {
        await($one);
    }
    unset($all, $one);
}
var_dump($pdo->query('SELECT 1')->fetchColumn());
--EXPECT--
int(1)
