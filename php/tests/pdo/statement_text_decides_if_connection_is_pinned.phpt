--TEST--
DB-01: a statement that may change the session pins its connection until the coroutine ends; other statements do not
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE "T (x)" (id INTEGER PRIMARY KEY, n TEXT)');
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)');
$pdo->sqliteCreateFunction('user_function', fn() => 1);
foreach ([
    'SELECT 1',
    ' -- SET x' . "\n" . ' /* PRAGMA */ (SELECT count(*) FROM t WHERE n IN (\'SET\', \'it\'\'s; PRAGMA x\'))',
    'WITH a (b) AS (SELECT coalesce(max(id), 0) FROM t) SELECT b FROM a',
    'SELECT "n" FROM "T (x)"',
    'EXPLAIN SELECT 1',
    'CREATE TABLE IF NOT EXISTS u (n VARCHAR(3))',
    'DROP TABLE IF EXISTS u',
    'SELECT 1; SELECT 2',
    'INSERT INTO t (n) VALUES (upper(\'x\'))',
    'UPDATE t SET n = (SELECT 1)',
    'DELETE FROM t',
    'WITH a AS (SELECT 1) INSERT INTO t (n) SELECT * FROM a',
    'PRAGMA case_sensitive_like = 1',
    'CREATE TEMP TABLE passing (n)',
    'SELECT user_function()',
    'SELECT 1; PRAGMA case_sensitive_like = 1',
    "SELECT 'a\\'",
    "ATTACH ':memory:' AS other",
] as $sql) {
    run_in_coroutine(function () use ($pdo, $sql) {
        try {
            str_starts_with(trim($sql), 'SELECT') ? $pdo->query($sql)->fetchAll() : $pdo->exec($sql);
        } catch (PDOException $error) {
            echo $error->getMessage(), ' ';
        }
        $state = $pdo->getPool()->activeCount() ? 'pinned' : 'released';
        echo "$state: ", preg_replace('/\s+/', ' ', $sql), "\n";
    });
}
--EXPECT--
released: SELECT 1
SQLSTATE[HY000]: General error: 1 near "(": syntax error released:  -- SET x /* PRAGMA */ (SELECT count(*) FROM t WHERE n IN ('SET', 'it''s; PRAGMA x'))
released: WITH a (b) AS (SELECT coalesce(max(id), 0) FROM t) SELECT b FROM a
released: SELECT "n" FROM "T (x)"
released: EXPLAIN SELECT 1
released: CREATE TABLE IF NOT EXISTS u (n VARCHAR(3))
released: DROP TABLE IF EXISTS u
released: SELECT 1; SELECT 2
pinned: INSERT INTO t (n) VALUES (upper('x'))
pinned: UPDATE t SET n = (SELECT 1)
pinned: DELETE FROM t
pinned: WITH a AS (SELECT 1) INSERT INTO t (n) SELECT * FROM a
pinned: PRAGMA case_sensitive_like = 1
pinned: CREATE TEMP TABLE passing (n)
pinned: SELECT user_function()
pinned: SELECT 1; PRAGMA case_sensitive_like = 1
pinned: SELECT 'a\'
pinned: ATTACH ':memory:' AS other
