--TEST--
DB-18: a connect that the server rejects throws one exception in each caller
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


set_error_handler(function ($level, $text) { echo "warning: $text\n"; });
$pdo = new PDO(preg_replace('/dbname=\w+/', 'dbname=absent', getenv('TRUEASYNC_MYSQL_DSN')),
    getenv('TRUEASYNC_MYSQL_USER'), getenv('TRUEASYNC_MYSQL_PASSWORD'), [PDO::ATTR_POOL_ENABLED => true]);
$query = function () use ($pdo) {
    try {
        $pdo->query('SELECT 1');
    } catch (PDOException $error) {
        return preg_match('/absent/', $error->getMessage()) . ' ' . $error->getLine();
    }
};
echo $query(), "\n", run_in_coroutine($query), "\n", counts($pdo), "\n";
--EXPECT--
1 11
1 11
count=0 idle=0 active=0
