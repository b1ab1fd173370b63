--TEST--
DB-01: changes() and last_insert_rowid() run on the connection of the write or throw
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n)');
$print_query = function () use ($pdo) {
    foreach (['SELECT last_insert_rowid()', 'SELECT changes()', "SELECT 'changes()'"] as $sql) {
        try {
            $result = $pdo->query($sql)->fetchColumn();
            echo "$sql: $result\n";
        } catch (PDOException $error) {
            echo "$sql: {$error->getMessage()}\n";
        }
    }
};
run_in_coroutine(function () use ($pdo, $print_query) {
    $pdo->exec('INSERT INTO t VALUES (5, 1), (6, 1)');
    $print_query();
    run_in_coroutine(fn() => $pdo->exec('INSERT INTO t VALUES (99, 1)'));
    $print_query();
    $pdo->exec('UPDATE t SET n = 2');
    $print_query();
});
--EXPECT--
SELECT last_insert_rowid(): 6
SELECT changes(): 2
SELECT 'changes()': changes()
SELECT last_insert_rowid(): Cannot query the result of an earlier statement: its connection was returned to the pool; use lastInsertId() or rowCount(), or run both statements in a transaction
SELECT changes(): Cannot query the result of an earlier statement: its connection was returned to the pool; use lastInsertId() or rowCount(), or run both statements in a transaction
SELECT 'changes()': changes()
SELECT last_insert_rowid(): Cannot query the result of an earlier statement: its connection was returned to the pool; use lastInsertId() or rowCount(), or run both statements in a transaction
SELECT changes(): 3
SELECT 'changes()': changes()
