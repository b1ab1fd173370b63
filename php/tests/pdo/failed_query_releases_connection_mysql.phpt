--TEST--
PDO keeps a failed query for its error, but its connection is released
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 1, PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
for ($i = 0; $i < 3; $i++) {
    var_dump($pdo->query('SELECT nonsense'));
    echo counts($pdo), ' ', $pdo->errorCode() === '00000' ? 'no error' : 'error', ' ', count($pdo->errorInfo()), "\n";
}
$pdo->beginTransaction();
var_dump($pdo->query('SELECT nonsense'), $pdo->query('SELECT more nonsense'));
$pdo->rollBack();
echo run_in_coroutine(fn() => $pdo->query('SELECT 5')->fetchColumn()), ' ', counts($pdo), "\n";
--EXPECT--
bool(false)
count=1 idle=1 active=0 error 3
bool(false)
count=1 idle=1 active=0 error 3
bool(false)
count=1 idle=1 active=0 error 3
bool(false)
bool(false)
5 count=1 idle=1 active=0
