--TEST--
Statements that are open at the end of a script are freed one by one on their shared connection
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/../pdo/db.inc';
Async\suspend();
$pdo = server_pool('pgsql', [], false);
for ($i = 0; $i < 5; $i++) {
    ${"statement$i"} = $pdo->prepare('SELECT ?');
    ${"statement$i"}->execute([$i]);
}
echo "end\n";
?>
--EXPECT--
end
