--TEST--
ATTR_POOL_MAX is never exceeded, and 200 coroutines get a connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 3]);
$max = 0;
$all = [];
for ($i = 0; $i < 200; $i++) {
    $all[] = spawn(function () use ($pdo, $i, &$max) {
        $statement = $pdo->query("SELECT $i");
        $max = max($max, $pdo->getPool()->count());
        suspend();
        return $statement->fetchColumn();
    });
}
echo array_sum(array_map(Async\await(...), $all)), " $max ", counts($pdo), "\n";
--EXPECT--
19900 3 count=3 idle=3 active=0
