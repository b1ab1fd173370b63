--TEST--
A suspended fiber inside a connection call, whose coroutine has finished, does not block the connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
use function Async\{await, spawn};

$pdo = new PDO('sqlite::memory:');
$fiber = null;
await(spawn(function () use ($pdo, &$fiber) {
    $fiber = new Fiber(fn () => $pdo->query('SELECT 1')->fetchAll(PDO::FETCH_FUNC, function ($value) {
        return Fiber::suspend() + $value;
    }));
    $fiber->start();
}));
gc_collect_cycles();
var_dump(await(spawn(fn () => $pdo->query('SELECT 2')->fetchColumn())));
$fiber->resume(10);
var_dump($fiber->getReturn());
?>
--EXPECT--
int(2)
array(1) {
  [0]=>
  int(11)
}
