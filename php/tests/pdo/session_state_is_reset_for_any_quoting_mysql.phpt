--TEST--
DB-01: a lock is released at the end of the coroutine, for any quoting of the SQL text
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 1]);
$other = server_pool('mysql', is_pooled: false);
foreach ([
    'SELECT "\"", GET_LOCK("hidden", 0)',
    "SELECT 'a', GET_LOCK('hidden', 0)",
    "SELECT 5--1, GET_LOCK('hidden', 0)",
    "SELECT GET_LOCK/**/('hidden', 0)",
] as $sql) {
    run_in_coroutine(fn() => $pdo->query($sql)->fetchAll());
    echo $other->query("SELECT IS_FREE_LOCK('hidden')")->fetchColumn(), "\n";
}
--EXPECT--
1
1
1
1
