--TEST--
DB-11 DB-17: many cancelled calls leave no answer and no transaction to the next user of the connection
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};

mt_srand(7);
$pdo = server_pool('pgsql', [PDO::ATTR_POOL_MAX => 6, PDO::ATTR_POOL_STMT_CACHE_SIZE => 4, PDO::ATTR_EMULATE_PREPARES => false]);
$pdo->exec('DROP TABLE IF EXISTS trueasync_mix');
$pdo->exec('CREATE TABLE trueasync_mix (id int, n int)');
$mismatches = 0;
for ($round = 0; $round < 8; $round++) {
    $all = [];
    for ($i = 0; $i < 100; $i++) {
        $all[] = spawn(function () use ($pdo, $i, &$mismatches) {
            for ($iteration = 0; $iteration < 3; $iteration++) {
                try {
                    if ($pdo->query("SELECT $i")->fetchColumn() != $i) {
                        $mismatches++;
                    }
                    $pdo->beginTransaction();
                    $statement = $pdo->prepare('INSERT INTO trueasync_mix VALUES (?, 1)');
                    $statement->execute([$i]);
                    $pdo->rollBack();
                } catch (PDOException) {
                }
            }
        });
    }
    for ($i = 0; $i < 40; $i++) {
        mt_rand(0, 1) ? suspend() : delay(1);
        $all[mt_rand(0, 99)]->cancel();
    }
    foreach ($all as $coroutine) {
        try {
            await($coroutine);
        } catch (Cancellation) {
        }
    }
}
var_dump($mismatches, $pdo->query('SELECT count(*) FROM trueasync_mix')->fetchColumn(), $pdo->getPool()->activeCount());
$pdo->exec('DROP TABLE trueasync_mix');
--EXPECT--
int(0)
int(0)
int(0)
