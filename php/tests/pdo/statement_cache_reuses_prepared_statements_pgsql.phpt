--TEST--
DB-15: a prepared statement is reused, and is prepared again after a change of its table
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_STMT_CACHE_SIZE => 4]);
$pdo->exec('DROP TABLE IF EXISTS trueasync_plan');
$pdo->exec('CREATE TABLE trueasync_plan (id int, n int)');
$pdo->exec('INSERT INTO trueasync_plan VALUES (1, 10), (2, 20)');
$prepared = fn($like) => $pdo->query("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '$like%'")->fetchColumn();
$read = function (int $id) use ($pdo) {
    $statement = $pdo->prepare('SELECT * FROM trueasync_plan WHERE id = :id');
    $statement->execute(['id' => $id]);
    return $statement->fetch(PDO::FETCH_ASSOC);
};
echo json_encode([$read(1), $read(2), run_in_coroutine(fn() => $read(1))]), "\n";
var_dump($prepared('SELECT * FROM trueasync_plan'));
$pdo->exec('ALTER TABLE trueasync_plan ALTER COLUMN n TYPE text');
echo json_encode($read(2)), "\n";
var_dump($prepared('SELECT * FROM trueasync_plan'));
// The server has deallocated the statement.
$pdo->exec('DEALLOCATE ALL');
echo json_encode($read(1)), "\n";
// Partly bound: values of the last execution are not used.
$select = function (array $bind) use ($pdo) {
    $statement = $pdo->prepare('SELECT ?::text AS a, ?::text AS b');
    foreach ($bind as $position => $value) {
        $statement->bindValue($position, $value);
    }
    try {
        $statement->execute();
    } catch (PDOException $error) {
        return $error->getCode();  // the same code as without a pool
    }
    return $statement->fetch(PDO::FETCH_NUM);
};
echo json_encode([$select([1 => 'x', 2 => 'y']), $select([1 => 'z']), $select([2 => 'w'])]), "\n";
// Cursors and emulated statements are not cached.
$cursor = $pdo->prepare('SELECT 5', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
$cursor->execute();
var_dump($cursor->fetchColumn());
$cursor = null;
$emulated = $pdo->prepare('SELECT 6 + ?', [PDO::ATTR_EMULATE_PREPARES => true]);
$emulated->execute([1]);
var_dump($emulated->fetchColumn(), $prepared('SELECT 6'));
// At most four statements are cached.
for ($i = 0; $i < 10; $i++) {
    $pdo->prepare("SELECT $i AS many")->execute();
}
var_dump($prepared('SELECT _ AS many') <= 4);
$pdo->exec('DROP TABLE trueasync_plan');
--EXPECT--
[{"id":1,"n":10},{"id":2,"n":20},{"id":1,"n":10}]
int(1)
{"id":2,"n":"20"}
int(1)
{"id":1,"n":"10"}
[["x","y"],"08P01","08P01"]
int(5)
int(7)
int(0)
bool(true)
