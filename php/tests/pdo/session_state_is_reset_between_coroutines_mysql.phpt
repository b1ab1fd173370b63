--TEST--
DB-01: session state of one coroutine is not visible to the next; charset and init command stay in effect
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


$pdo = server_pool('mysql', [PDO::ATTR_POOL_MAX => 1, PDO::MYSQL_ATTR_INIT_COMMAND => "SET @always = 'here'"]);
$read_state = fn() => $pdo->query('SELECT @own, @always, @@sql_mode = "ANSI", @@character_set_client, IS_USED_LOCK("l") > 0')
    ->fetch(PDO::FETCH_NUM);
[$session, $seen] = run_in_coroutine(function () use ($pdo, $read_state) {
    $pdo->exec('SET @own = 5, sql_mode = "ANSI"');
    $pdo->exec('SET sql_mode = ""');
    $pdo->query('SELECT GET_LOCK("l", 0)')->fetchAll();
    $pdo->exec('CREATE TEMPORARY TABLE passing (n int)');
    return [server_session($pdo), $read_state()];
});
echo json_encode($seen), "\n";
echo json_encode(run_in_coroutine($read_state)), "\n";
var_dump(run_in_coroutine(fn() => server_session($pdo)) === $session);
try {
    $pdo->query('SELECT * FROM passing');
} catch (PDOException $error) {
    echo $error->getCode(), "\n";
}
--EXPECT--
[5,"here",0,"utf8mb4",1]
[null,"here",0,"utf8mb4",null]
bool(true)
42S02
