--TEST--
DB-04: an attribute that the driver rejects is rejected as without a pool and is not set on any connection
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';

$plain = new PDO('sqlite::memory:');
$pooled = sqlite_pool();
$set = function (PDO $pdo, int $attribute, mixed $value): string {
    try {
        $result = json_encode($pdo->setAttribute($attribute, $value));
    } catch (Throwable $error) {
        $result = get_class($error) . ': ' . $error->getMessage();
    }
    return "$result {$pdo->errorCode()}";
};
$cases = [
    'a string for EMULATE_PREPARES' => [PDO::ATTR_EMULATE_PREPARES, 'x'],
    'an array for EMULATE_PREPARES' => [PDO::ATTR_EMULATE_PREPARES, []],
    'EMULATE_PREPARES' => [PDO::ATTR_EMULATE_PREPARES, true],
    'an array for AUTOCOMMIT' => [PDO::ATTR_AUTOCOMMIT, []],
    'AUTOCOMMIT' => [PDO::ATTR_AUTOCOMMIT, 1],
    'PREFETCH' => [PDO::ATTR_PREFETCH, 3],
    'TIMEOUT' => [PDO::ATTR_TIMEOUT, 3],
    'unknown attribute' => [4711, 1],
    'a wrong ERRMODE' => [PDO::ATTR_ERRMODE, 17],
];
foreach ([PDO::ERRMODE_SILENT, PDO::ERRMODE_EXCEPTION] as $mode) {
    $plain->setAttribute(PDO::ATTR_ERRMODE, $mode);
    $pooled->setAttribute(PDO::ATTR_ERRMODE, $mode);
    foreach ($cases as $name => [$attribute, $value]) {
        $expected = $set($plain, $attribute, $value);
        $actual = $set($pooled, $attribute, $value);
        if ($actual !== $expected) {
            echo "$name: $actual instead of $expected\n";
        }
        if ($pooled->query('SELECT 1')->fetchColumn() != 1) {
            echo "$name: the pool does not work any more\n";
        }
    }
}
echo "done\n";
--EXPECT--
done
