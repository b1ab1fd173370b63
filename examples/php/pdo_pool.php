<?php
// A PDO object as a pool: each coroutine works on its own connection, at most three in total.
// needs: pdo pdo_sqlite
use function Async\{await, delay, spawn};

$file = tempnam(sys_get_temp_dir(), 'shop');
$pdo = new PDO("sqlite:$file", null, null, [
    PDO::ATTR_POOL_ENABLED => true,
    PDO::ATTR_POOL_MAX => 3,
    PDO::ATTR_POOL_STMT_CACHE_SIZE => 8,
]);
$pdo->exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT)');
for ($id = 1; $id <= 10; $id++) {
    $pdo->prepare('INSERT INTO orders VALUES (?, ?)')->execute([$id, 'new']);
}
echo 'last id: ', $pdo->lastInsertId(), "\n";

// Ten readers share three connections. A coroutine keeps its connection while a statement exists.
$readers = [];
for ($id = 1; $id <= 10; $id++) {
    $readers[] = spawn(function () use ($pdo, $id) {
        $statement = $pdo->prepare('SELECT id FROM orders WHERE id = ?');
        $statement->execute([$id]);
        delay(1);
        return $statement->fetchColumn();
    });
}
echo 'sum ', array_sum(array_map(await(...), $readers)), ' over ', count($pdo->getPool()), " connections\n";

// A transaction that is not committed is rolled back when the coroutine finishes.
await(spawn(function () use ($pdo) {
    $pdo->beginTransaction();
    $pdo->exec("UPDATE orders SET state = 'lost'");
}));
echo 'lost: ', $pdo->query("SELECT count(*) FROM orders WHERE state = 'lost'")->fetchColumn(), "\n";

await(spawn(function () use ($pdo) {
    $pdo->beginTransaction();
    $pdo->exec("UPDATE orders SET state = 'paid' WHERE id <= 4");
    $pdo->commit();
}));
echo 'paid: ', $pdo->query("SELECT count(*) FROM orders WHERE state = 'paid'")->fetchColumn(), "\n";
unlink($file);
