--TEST--
DB-07: driver-specific methods run on a connection, and registered functions exist on every connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = sqlite_pool();
var_dump($pdo->sqliteCreateFunction('twice', fn($n) => 2 * $n, 1));
$all = [];
for ($i = 1; $i < 4; $i++) {
    $all[] = spawn(function () use ($pdo, $i) {
        $statement = $pdo->query("SELECT twice($i)");
        suspend();
        return $statement->fetchColumn();
    });
}
echo implode(' ', array_map(Async\await(...), $all)), "\n";
try {
    $pdo->noSuchMethod();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
--EXPECT--
bool(true)
2 4 6
Call to undefined method PDO::noSuchMethod()
