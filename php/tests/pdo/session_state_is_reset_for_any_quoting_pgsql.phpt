--TEST--
DB-01: locks, temporary tables and settings end with the coroutine, for any form of the SQL text
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';

$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 1, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$other = server_pool('pgsql', is_pooled: false);
$set = "set_config('application_name', 'dirty', false)";
$other->exec('DROP TABLE IF EXISTS altered, asked; CREATE TABLE altered AS SELECT 1 AS n');
foreach ([
    'SELECT "pg_advisory_lock"(5)',
    'SELECT "pg_catalog"."pg_advisory_lock"(5)',
    'SELECT "pg_catalog".pg_advisory_lock(5)',
    "SELECT 'a', pg_advisory_lock(5)",
    'SELECT "n", pg_advisory_lock(5) FROM (SELECT 1 AS n) AS t',
    "SELECT 1 /* /* */ ' */, pg_advisory_lock(5) -- '",
    'CREATE TABLE pg_temp.hidden (n int)',
    'CREATE TABLE "pg_temp"."hidden" (n int)',
    'WITH a AS (DELETE FROM altered WHERE n = 0 RETURNING n) SELECT 1 AS n INTO TEMP hidden',
    "CREATE TABLE IF NOT EXISTS made AS SELECT $set",
    "CREATE TABLE IF NOT EXISTS made2 AS VALUES ($set)",
    "ALTER TABLE altered ADD COLUMN more text DEFAULT $set",
] as $sql) {
    try {
        run_in_coroutine(fn() => $pdo->query($sql));
    } catch (PDOException $error) {
        echo $error->getMessage(), ' ';
    }
    $remaining = $other->query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")->fetchColumn()
        + $other->query("SELECT count(*) FROM pg_class WHERE relname = 'hidden'")->fetchColumn()
        + $other->query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dirty'")->fetchColumn();
    echo $remaining ? 'remaining' : 'reset', ": $sql\n";
}
$other->exec('DROP TABLE IF EXISTS altered, made, made2');
run_in_coroutine(function () use ($pdo) {
    $pdo->exec('CREATE TABLE "asked" (id serial, n int)');
    $pdo->exec('INSERT INTO "public"."asked" (n) VALUES (1)');
    echo $pdo->query('SELECT lastval()')->fetchColumn(), "\n";
    echo $pdo->query("SELECT currval('asked_id_seq')")->fetchColumn(), "\n";
    run_in_coroutine(fn() => $pdo->exec('INSERT INTO asked (n) VALUES (1)'));
    try {
        echo $pdo->query('SELECT lastval()')->fetchColumn(), "\n";
    } catch (PDOException $error) {
        echo strstr($error->getMessage(), ';', true), "\n";
    }
});
$other->exec('DROP TABLE asked');
--EXPECT--
reset: SELECT "pg_advisory_lock"(5)
reset: SELECT "pg_catalog"."pg_advisory_lock"(5)
reset: SELECT "pg_catalog".pg_advisory_lock(5)
reset: SELECT 'a', pg_advisory_lock(5)
reset: SELECT "n", pg_advisory_lock(5) FROM (SELECT 1 AS n) AS t
reset: SELECT 1 /* /* */ ' */, pg_advisory_lock(5) -- '
reset: CREATE TABLE pg_temp.hidden (n int)
reset: CREATE TABLE "pg_temp"."hidden" (n int)
reset: WITH a AS (DELETE FROM altered WHERE n = 0 RETURNING n) SELECT 1 AS n INTO TEMP hidden
reset: CREATE TABLE IF NOT EXISTS made AS SELECT set_config('application_name', 'dirty', false)
reset: CREATE TABLE IF NOT EXISTS made2 AS VALUES (set_config('application_name', 'dirty', false))
reset: ALTER TABLE altered ADD COLUMN more text DEFAULT set_config('application_name', 'dirty', false)
1
1
Cannot query the result of an earlier statement: its connection was returned to the pool
