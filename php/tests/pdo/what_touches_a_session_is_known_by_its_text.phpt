--TEST--
DB-01 a statement whose text may change the session keeps its connection until the coroutine ends; others do not
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = sqlite_pool([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE "T (x)" (id INTEGER PRIMARY KEY, n TEXT)');
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)');
$pdo->sqliteCreateFunction('mine', fn() => 1);
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
    'SELECT mine()',
    'SELECT 1; PRAGMA case_sensitive_like = 1',
    "SELECT 'a\\'",
    "ATTACH ':memory:' AS other",
] as $sql) {
    in_coroutine(function () use ($pdo, $sql) {
        try {
            str_starts_with(trim($sql), 'SELECT') ? $pdo->query($sql)->fetchAll() : $pdo->exec($sql);
        } catch (PDOException $error) {
            echo $error->getMessage(), ' ';
        }
        $kept = $pdo->getPool()->activeCount() ? 'kept' : 'back';
        echo "$kept: ", preg_replace('/\s+/', ' ', $sql), "\n";
    });
}
--EXPECT--
back: SELECT 1
SQLSTATE[HY000]: General error: 1 near "(": syntax error back:  -- SET x /* PRAGMA */ (SELECT count(*) FROM t WHERE n IN ('SET', 'it''s; PRAGMA x'))
back: WITH a (b) AS (SELECT coalesce(max(id), 0) FROM t) SELECT b FROM a
back: SELECT "n" FROM "T (x)"
back: EXPLAIN SELECT 1
back: CREATE TABLE IF NOT EXISTS u (n VARCHAR(3))
back: DROP TABLE IF EXISTS u
back: SELECT 1; SELECT 2
kept: INSERT INTO t (n) VALUES (upper('x'))
kept: UPDATE t SET n = (SELECT 1)
kept: DELETE FROM t
kept: WITH a AS (SELECT 1) INSERT INTO t (n) SELECT * FROM a
kept: PRAGMA case_sensitive_like = 1
kept: CREATE TEMP TABLE passing (n)
kept: SELECT mine()
kept: SELECT 1; PRAGMA case_sensitive_like = 1
kept: SELECT 'a\'
kept: ATTACH ':memory:' AS other
