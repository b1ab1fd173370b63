--TEST--
DB-09 DB-10: a statement may outlive its coroutine and its PDO; its connection is released once
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 2]);
$statement = run_in_coroutine(fn() => $pdo->query('SELECT 1 UNION SELECT 2'));
echo counts($pdo), "\n";
var_dump($statement->fetchColumn());
$other = $pdo->query('SELECT 3');
$statement = null;
echo counts($pdo), "\n";
$pool = $pdo->getPool();
$pdo = null;
var_dump($other->fetchColumn(), $pool->count());
$other = null;
var_dump($pool->count());
// The collector destroys these objects in any order.
$pdo = sqlite_pool();
$cycle = new stdClass;
$cycle->pdo = $pdo;
$cycle->statement = $pdo->query('SELECT 4');
$cycle->self = $cycle;
unset($pdo, $cycle);
var_dump(gc_collect_cycles() > 0);
$pdo = sqlite_pool();
$cycle = [$pdo->query('SELECT 5'), $pdo];
$cycle[] = &$cycle;
unset($pdo, $cycle);
gc_collect_cycles();
echo "done\n";
--EXPECT--
count=1 idle=0 active=1
int(1)
count=2 idle=1 active=1
int(3)
int(1)
int(0)
bool(true)
done
