--TEST--
DB-07 DB-16: Pdo\Sqlite, since PHP 8.4, can be pooled, with its own methods; PDO::connect() makes one connection
--EXTENSIONS--
pdo
pdo_sqlite
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) die('skip drivers have no classes of their own before PHP 8.4');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{await_all_or_fail, spawn, suspend};

class Mine extends Pdo\Sqlite
{
    public function learn(): void
    {
        $this->createFunction('twice', fn($n) => 2 * $n, 1);
    }
}
function told(callable $call): void
{
    try {
        $result = $call();
        echo is_object($result) ? get_class($result) : json_encode($result), "\n";
    } catch (PDOException $error) {
        echo $error->getMessage(), "\n";
    }
}

$file = sys_get_temp_dir() . '/trueasync-pdo-' . getmypid() . '.db';
register_shutdown_function(fn() => @unlink($file));
$pooled = [PDO::ATTR_POOL_ENABLED => true, Pdo\Sqlite::ATTR_POOL_MAX => 3];
$pdo = new Mine("sqlite:$file", null, null, $pooled);
$pdo->learn();
$pdo->exec('CREATE TABLE numbers (n)');
// A connection each, and what the pool has learnt is known to all of them.
echo json_encode(await_all_or_fail(array_map(fn ($i) => spawn(function () use ($pdo, $i) {
    $statement = $pdo->query("SELECT twice($i)");
    suspend();
    return $statement->fetchColumn();
}), [1, 2]))), "\n";
told(fn() => $pdo->getPool());
told(fn() => $pdo->connect("sqlite:$file"));
told(fn() => PDO::connect("sqlite:$file", options: $pooled));
told(fn() => Mine::connect("sqlite:$file", null, null, $pooled));
told(fn() => PDO::connect("sqlite:$file", null, null, [PDO::ATTR_POOL_ENABLED => false]));
told(fn() => Mine::connect("sqlite:$file")->query('SELECT count(*) FROM numbers')->fetchColumn());
--EXPECT--
[2,4]
Async\Pool
A pooled PDO connects by itself: give the target to the constructor, with PDO::ATTR_POOL_ENABLED, of another one
PDO::connect() makes one connection: for a pool use new PDO(…, [PDO::ATTR_POOL_ENABLED => true])
PDO::connect() makes one connection: for a pool use new PDO(…, [PDO::ATTR_POOL_ENABLED => true])
Pdo\Sqlite
0
