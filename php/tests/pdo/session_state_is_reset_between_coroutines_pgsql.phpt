--TEST--
DB-01: session state of one coroutine is not visible to the next; an unchanged session is not reset
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 1]);
$admin = server_pool('pgsql', [], false);
$read_state = fn() => [
    $pdo->query("SELECT current_setting('TimeZone')")->fetchColumn() === 'Pacific/Auckland',
    $pdo->query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")->fetchColumn(),
    $pdo->query("SELECT count(*) FROM pg_class WHERE relname = 'passing'")->fetchColumn(),
    $pdo->query("SELECT count(*) FROM pg_prepared_statements WHERE name = 'own_statement'")->fetchColumn(),
];
[$session, $seen] = run_in_coroutine(function () use ($pdo, $read_state) {
    $pdo->exec("SET TIME ZONE 'Pacific/Auckland'");
    $pdo->query('SELECT pg_advisory_lock(77)')->fetchAll();
    $pdo->exec('CREATE TEMP TABLE passing (n int)');
    $pdo->exec('PREPARE own_statement AS SELECT 1');
    return [server_session($pdo), $read_state()];
});
echo json_encode($seen), "\n", json_encode($read_state()), "\n";
var_dump(server_session($pdo) === $session);
// The last statement at the server after work that left the session unchanged.
run_in_coroutine(fn() => $pdo->query('SELECT 11')->fetchAll());
echo $admin->query("SELECT query FROM pg_stat_activity WHERE pid = $session")->fetchColumn() === 'DISCARD ALL' ? 'reset' : 'not reset', "\n";
run_in_coroutine(fn() => $pdo->exec("SET TIME ZONE 'UTC'"));
echo $admin->query("SELECT query FROM pg_stat_activity WHERE pid = $session")->fetchColumn(), "\n";
--EXPECT--
[true,1,1,1]
[false,0,0,0]
bool(true)
not reset
DISCARD ALL
