--TEST--
DB-18: a failed connect throws one exception and emits no warning, in every error mode
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


set_error_handler(function ($level, $text) { echo "warning: $text\n"; });
foreach ([PDO::ERRMODE_SILENT, PDO::ERRMODE_WARNING, PDO::ERRMODE_EXCEPTION] as $mode) {
    $pdo = new PDO('sqlite:/nowhere/at/all.db', null, null, [PDO::ATTR_POOL_ENABLED => true, PDO::ATTR_ERRMODE => $mode]);
    try {
        $pdo->query('SELECT 1');
    } catch (PDOException $error) {
        echo get_class($error), ' ', $error->getMessage(), ' at line ', $error->getLine(), "\n";
    }
    echo counts($pdo), "\n";
}
--EXPECT--
PDOException SQLSTATE[HY000] [14] unable to open database file at line 10
count=0 idle=0 active=0
PDOException SQLSTATE[HY000] [14] unable to open database file at line 10
count=0 idle=0 active=0
PDOException SQLSTATE[HY000] [14] unable to open database file at line 10
count=0 idle=0 active=0
