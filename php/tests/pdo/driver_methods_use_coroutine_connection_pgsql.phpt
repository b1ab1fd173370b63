--TEST--
DB-07: driver-specific methods run on the coroutine's connection
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('pgsql');
$pids = [];
$started = 0;
foreach ([1, 2] as $i) {
    $pids[] = spawn(function () use ($pdo, &$started) {
        $pdo->beginTransaction();
        $pid = $pdo->pgsqlGetPid();
        for ($started++; $started < 2;) {
            suspend();
        }
        var_dump($pid === server_session($pdo));
        $pdo->rollBack();
        return $pid;
    });
}
var_dump(await($pids[0]) !== await($pids[1]));
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('CREATE TEMP TABLE copied (n int, t text)');
    $pdo->pgsqlCopyFromArray('copied', ["1\tone\n", "2\ttwo\n"]);
    echo json_encode($pdo->pgsqlCopyToArray('copied')), "\n";
});
echo counts($pdo), "\n";
--EXPECT--
bool(true)
bool(true)
bool(true)
["1\tone\n","2\ttwo\n"]
count=2 idle=2 active=0
