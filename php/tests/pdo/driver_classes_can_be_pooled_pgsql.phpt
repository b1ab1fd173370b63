--TEST--
DB-07: methods of Pdo\Pgsql of PHP 8.4 run on the coroutine's connection; concurrent use of one connection throws
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php
if (PHP_VERSION_ID < 80400) die('skip driver classes need PHP 8.4');
if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{await, spawn, suspend};

function open(bool $is_pooled): Pdo\Pgsql
{
    return new Pdo\Pgsql(getenv('TRUEASYNC_PGSQL_DSN'), getenv('TRUEASYNC_PGSQL_USER'), getenv('TRUEASYNC_PGSQL_PASSWORD'),
        [PDO::ATTR_POOL_ENABLED => $is_pooled, PDO::ATTR_POOL_MAX => 4]);
}

$pdo = open(true);
$started = 0;
$work = function () use ($pdo, &$started) {
    $pdo->beginTransaction();
    $pid = $pdo->getPid();
    for ($started++; $started < 2;) {
        suspend();
    }
    var_dump($pid === server_session($pdo));
    $pdo->rollBack();
    return $pid;
};
[$first, $second] = [spawn($work), spawn($work)];
var_dump(await($first) !== await($second));
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('CREATE TEMP TABLE copied (n int, t text)');
    $pdo->copyFromArray('copied', ["1\tone\n", "2\ttwo\n"]);
    echo json_encode($pdo->copyToArray('copied')), "\n";
});
echo counts($pdo), "\n";

$plain = open(false);
$sleeping = spawn(fn() => $plain->query('SELECT pg_sleep(0.2)')->fetchColumn());
suspend();
try {
    $plain->copyToArray('pg_class');
} catch (Async\AsyncException $error) {
    echo preg_replace('~#\d+~', '#N', $error->getMessage()), "\n";
}
await($sleeping);
--EXPECTF--
bool(true)
bool(true)
bool(true)
["1\tone\n","2\ttwo\n"]
count=2 idle=2 active=0
Pdo\Pgsql::copyToArray(): Connection or handle is in use by coroutine #N (PDO::query(), %s:%d); use a separate one in each coroutine
