--TEST--
DB-13: errorCode() and errorInfo() are per coroutine and start with 00000
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
$bad = spawn(function () use ($pdo) {
    var_dump($pdo->query('SELECT * FROM absent'));
    suspend();
    echo 'bad: ', $pdo->errorCode(), ' ', $pdo->errorInfo()[2], "\n";
    $pdo->query('SELECT 1');
    echo 'bad, later: ', $pdo->errorCode(), "\n";
});
$good = spawn(function () use ($pdo) {
    echo 'good: ', $pdo->errorCode(), "\n";
    $statement = $pdo->query('SELECT 1');
    suspend();
    echo 'good: ', $pdo->errorCode(), ' ', json_encode($pdo->errorInfo()), "\n";
});
await($bad);
await($good);
echo run_in_coroutine(fn() => $pdo->errorCode()), ' ', counts($pdo), "\n";
--EXPECT--
good: 00000
bool(false)
bad: HY000 no such table: absent
bad, later: 00000
good: 00000 ["00000",null,null]
00000 count=2 idle=2 active=0
