--TEST--
A pooled PDO that only its own attributes and functions reference is collected
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';

class Statement extends PDOStatement
{
    protected function __construct(public $pdo) {}
}

class Watched extends PDO
{
    public string $name = '';

    public function __destruct()
    {
        echo "{$this->name} is destroyed\n";
    }
}

$file = sys_get_temp_dir() . '/trueasync-cycle-' . getmypid() . '.db';
register_shutdown_function(fn() => @unlink($file));
$create = function (string $name, array $options = []) use ($file) {
    $pdo = new Watched("sqlite:$file", null, null, $options + [PDO::ATTR_POOL_ENABLED => true]);
    $pdo->name = $name;
    return $pdo;
};

$pdo = $create('referenced by its statement class');
$pdo->setAttribute(PDO::ATTR_STATEMENT_CLASS, [Statement::class, [$pdo]]);
echo $pdo->query('SELECT 1')->fetchColumn(), "\n";
unset($pdo);
gc_collect_cycles();

$holder = new stdClass();
$pdo = $holder->pdo = $create('referenced by its options', [PDO::ATTR_STATEMENT_CLASS => [Statement::class, [$holder]]]);
echo $pdo->query('SELECT 2')->fetchColumn(), "\n";
unset($pdo, $holder);
gc_collect_cycles();

$pdo = $create('referenced by a function');
$pdo->sqliteCreateFunction('pdo_name', fn() => $pdo->name);
echo run_in_coroutine(fn() => $pdo->query('SELECT pdo_name()')->fetchColumn()), "\n";
unset($pdo);
gc_collect_cycles();

$pdo = $create('with a referenced pool');
$pdo->setAttribute(PDO::ATTR_STATEMENT_CLASS, [Statement::class, [$pdo]]);
$pool = $pdo->getPool();
unset($pdo);
gc_collect_cycles();
var_dump($pool->isClosed());
unset($pool);
gc_collect_cycles();
echo "end\n";
--EXPECT--
1
referenced by its statement class is destroyed
2
referenced by its options is destroyed
referenced by a function
referenced by a function is destroyed
with a referenced pool is destroyed
bool(true)
end
