--TEST--
Coroutines share a pooled PDO, but not a connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool();
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)');
$all = [];
for ($i = 0; $i < 3; $i++) {
    $all[] = spawn(function () use ($pdo, $i) {
        $statement = $pdo->prepare('SELECT ? AS n');
        suspend();
        $statement->execute([$i]);
        suspend();
        return [$statement->fetchColumn(), counts($pdo)];
    });
}
foreach ($all as $coroutine) {
    echo implode(' ', await($coroutine)), "\n";
}
echo counts($pdo), "\n";
echo get_class($pdo->getPool()), "\n";
--EXPECT--
0 count=3 idle=0 active=3
1 count=3 idle=1 active=2
2 count=3 idle=2 active=1
count=3 idle=3 active=0
Async\Pool
