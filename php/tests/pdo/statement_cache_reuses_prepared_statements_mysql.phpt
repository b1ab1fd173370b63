--TEST--
DB-15: a prepared statement is reused, also after a change of its table
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


$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_STMT_CACHE_SIZE => 4, PDO::ATTR_EMULATE_PREPARES => false]);
$pdo->exec('CREATE OR REPLACE TABLE trueasync_plan (id int, n int)');
$pdo->exec('INSERT INTO trueasync_plan VALUES (1, 10), (2, 20)');
$status = "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'";
$count = fn() => (int) $pdo->query($status)->fetch(PDO::FETCH_NUM)[1];
$read = function (int $id) use ($pdo) {
    $statement = $pdo->prepare('SELECT * FROM trueasync_plan WHERE id = :id');
    $statement->execute(['id' => $id]);
    return $statement->fetch(PDO::FETCH_ASSOC);
};
$count();
$before = $count();
echo json_encode([$read(1), $read(2), run_in_coroutine(fn() => $read(1))]), "\n";
var_dump($count() - $before);
$pdo->exec('ALTER TABLE trueasync_plan ADD COLUMN c int DEFAULT 3');
echo json_encode($read(2)), "\n";
try {
    $statement = $pdo->prepare('SELECT ?, ?');
    $statement->execute(['a', 'b']);
    $statement = null;
    $statement = $pdo->prepare('SELECT ?, ?');
    $statement->bindValue(1, 'only');
    $statement->execute();
} catch (PDOException $error) {
    echo $error->getMessage(), "\n";
}
$statement = null;
$pdo->exec('DROP TABLE trueasync_plan');
echo counts($pdo), "\n";
--EXPECT--
[{"id":1,"n":10},{"id":2,"n":20},{"id":1,"n":10}]
int(1)
{"id":2,"n":20,"c":3}
SQLSTATE[HY093]: Invalid parameter number
count=1 idle=1 active=0
