--TEST--
ATTR_POOL_MAX is never exceeded, and 200 coroutines get their turn
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 3]);
$most = 0;
$all = [];
for ($i = 0; $i < 200; $i++) {
    $all[] = spawn(function () use ($pdo, $i, &$most) {
        $statement = $pdo->query("SELECT $i");
        $most = max($most, $pdo->getPool()->count());
        suspend();
        return $statement->fetchColumn();
    });
}
echo array_sum(array_map(Async\await(...), $all)), " $most ", counts($pdo), "\n";
--EXPECT--
19900 3 count=3 idle=3 active=0
