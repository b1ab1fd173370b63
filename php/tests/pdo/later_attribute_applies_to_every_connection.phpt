--TEST--
DB-04: an attribute set later applies to every connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool();
$hold = spawn(function () use ($pdo) {
    $pdo->beginTransaction();
    suspend();
    suspend();
    $before = $pdo->query('SELECT 1 AS n')->fetch();
    $pdo->rollBack();
    return $before;
});
suspend();
$pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
var_dump($pdo->getAttribute(PDO::ATTR_DEFAULT_FETCH_MODE) === PDO::FETCH_ASSOC);
echo json_encode($pdo->query('SELECT 2 AS n')->fetch()), "\n";
echo json_encode(await($hold)), "\n";
echo json_encode(run_in_coroutine(fn() => $pdo->query('SELECT 3 AS n')->fetch())), "\n";
try {
    $pdo->setAttribute(PDO::ATTR_ERRMODE, 17);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
try {
    $pdo->setAttribute(PDO::ATTR_POOL_MAX, 17);
} catch (PDOException $error) {
    echo $error->getMessage(), "\n";
}
--EXPECTF--
bool(true)
{"n":2}
{"n":1}
{"n":3}
%AError mode must be one of the PDO::ERRMODE_* constants
Cannot change PDO::ATTR_POOL_… after construction; pass it as an option to the constructor
