--TEST--
A pooled PDO that only its own attributes and functions refer to is garbage
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
        echo "{$this->name} is gone\n";
    }
}

$file = sys_get_temp_dir() . '/trueasync-cycle-' . getmypid() . '.db';
register_shutdown_function(fn() => @unlink($file));
$make = function (string $name, array $options = []) use ($file) {
    $pdo = new Watched("sqlite:$file", null, null, $options + [PDO::ATTR_POOL_ENABLED => true]);
    $pdo->name = $name;
    return $pdo;
};

$pdo = $make('by its statement class');
$pdo->setAttribute(PDO::ATTR_STATEMENT_CLASS, [Statement::class, [$pdo]]);
echo $pdo->query('SELECT 1')->fetchColumn(), "\n";
unset($pdo);
gc_collect_cycles();

$holder = new stdClass();
$pdo = $holder->pdo = $make('by its options', [PDO::ATTR_STATEMENT_CLASS => [Statement::class, [$holder]]]);
echo $pdo->query('SELECT 2')->fetchColumn(), "\n";
unset($pdo, $holder);
gc_collect_cycles();

$pdo = $make('by a function');
$pdo->sqliteCreateFunction('mine', fn() => $pdo->name);
echo in_coroutine(fn() => $pdo->query('SELECT mine()')->fetchColumn()), "\n";
unset($pdo);
gc_collect_cycles();

$pdo = $make('whose pool somebody has');
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
by its statement class is gone
2
by its options is gone
by a function
by a function is gone
whose pool somebody has is gone
bool(true)
end
