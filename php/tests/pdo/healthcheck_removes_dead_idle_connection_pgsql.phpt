--TEST--
DB-14: ATTR_POOL_HEALTHCHECK_INTERVAL removes a dead idle connection before it is leased
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\delay;

$pdo = server_pool('pgsql', [PDO::ATTR_POOL_HEALTHCHECK_INTERVAL => 1]);
$admin = server_pool('pgsql', [], false);
$session = server_session($pdo);
echo counts($pdo), "\n";
delay(1200);
echo counts($pdo), "\n";
kill_session($admin, $session);
for ($i = 0; $i < 100 && count($pdo->getPool()) > 0; $i++) {
    delay(50);
}
echo counts($pdo), "\n";
var_dump($pdo->query('SELECT 1')->fetchColumn());
--EXPECT--
count=1 idle=1 active=0
count=1 idle=1 active=0
count=0 idle=0 active=0
int(1)
