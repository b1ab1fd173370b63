--TEST--
DB-07 DB-16: pdo\Sqlite of PHP 8.4 can be pooled with its own methods; PDO::connect() opens a single connection
--EXTENSIONS--
pdo
pdo_sqlite
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) die('skip driver classes need PHP 8.4');
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{await_all_or_fail, spawn, suspend};

class UserSqlite extends Pdo\Sqlite
{
    public function addFunctions(): void
    {
        $this->createFunction('twice', fn($n) => 2 * $n, 1);
    }
}
function print_result(callable $call): void
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
$pdo = new UserSqlite("sqlite:$file", null, null, $pooled);
$pdo->addFunctions();
$pdo->exec('CREATE TABLE numbers (n)');
// Every coroutine has its own connection, and the function exists on all of them.
echo json_encode(await_all_or_fail(array_map(fn ($i) => spawn(function () use ($pdo, $i) {
    $statement = $pdo->query("SELECT twice($i)");
    suspend();
    return $statement->fetchColumn();
}), [1, 2]))), "\n";
print_result(fn() => $pdo->getPool());
print_result(fn() => $pdo->connect("sqlite:$file"));
print_result(fn() => PDO::connect("sqlite:$file", options: $pooled));
print_result(fn() => UserSqlite::connect("sqlite:$file", null, null, $pooled));
print_result(fn() => PDO::connect("sqlite:$file", null, null, [PDO::ATTR_POOL_ENABLED => false]));
print_result(fn() => UserSqlite::connect("sqlite:$file")->query('SELECT count(*) FROM numbers')->fetchColumn());
--EXPECT--
[2,4]
Async\Pool
Cannot connect a pooled PDO to another target; create a new PDO with PDO::ATTR_POOL_ENABLED for that target
PDO::connect() cannot create a pool; use new PDO(…, [PDO::ATTR_POOL_ENABLED => true])
PDO::connect() cannot create a pool; use new PDO(…, [PDO::ATTR_POOL_ENABLED => true])
Pdo\Sqlite
0
