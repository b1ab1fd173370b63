--TEST--
DB-07 the driver's own methods run on the connection of the coroutine
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
$begun = 0;
foreach ([1, 2] as $i) {
    $pids[] = spawn(function () use ($pdo, &$begun) {
        $pdo->beginTransaction();
        $mine = $pdo->pgsqlGetPid();
        for ($begun++; $begun < 2;) {
            suspend();
        }
        var_dump($mine === server_session($pdo));
        $pdo->rollBack();
        return $mine;
    });
}
var_dump(await($pids[0]) !== await($pids[1]));
in_coroutine(function () use ($pdo) {
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
