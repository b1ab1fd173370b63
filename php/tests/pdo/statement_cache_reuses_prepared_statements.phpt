--TEST--
DB-15: ATTR_POOL_STMT_CACHE_SIZE caches prepared statements without values of earlier executions
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool([PDO::ATTR_POOL_STMT_CACHE_SIZE => 2, PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (a, b)');
for ($i = 0; $i < 4; $i++) {
    $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute([$i, "b$i"]);
}
echo json_encode($pdo->query('SELECT * FROM t')->fetchAll(PDO::FETCH_NUM)), "\n";
// Fewer values than in the last execution: old values are not used.
$statement = $pdo->prepare('INSERT INTO t VALUES (?, ?)');
$statement->bindValue(1, 'only');
$statement->execute();
$statement = null;
echo json_encode($pdo->query('SELECT * FROM t WHERE a = \'only\'')->fetch(PDO::FETCH_NUM)), "\n";
$named = fn($x) => (function () use ($pdo, $x) {
    $s = $pdo->prepare('SELECT :x AS x');
    $s->execute(['x' => $x]);
    return $s->fetchColumn();
})();
echo $named(1), $named(2), $named(3), "\n";
// The table of a cached statement changes.
$read = fn() => $pdo->query('SELECT * FROM t LIMIT 1')->fetch(PDO::FETCH_ASSOC);
echo json_encode($read()), "\n";
$pdo->exec('ALTER TABLE t ADD COLUMN c DEFAULT 9');
echo json_encode($read()), "\n";
// Two statements with the same text are open.
$first = $pdo->prepare('SELECT 1 WHERE CAST(? AS INTEGER) > 0');
$second = $pdo->prepare('SELECT 1 WHERE CAST(? AS INTEGER) > 0');
$first->execute([1]);
$second->execute([0]);
var_dump($first->fetchColumn(), $second->fetchColumn());
--EXPECT--
[["0","b0"],["1","b1"],["2","b2"],["3","b3"]]
["only",null]
123
{"a":"0","b":"b0"}
{"a":"0","b":"b0","c":9}
int(1)
bool(false)
