--TEST--
Persistent connections, private in-memory databases and invalid sizes throw
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


foreach ([
    ['sqlite::memory:', []],
    ['sqlite:', []],
    ['sqlite:/tmp/x', [PDO::ATTR_PERSISTENT => true]],
    ['sqlite:/tmp/x', [PDO::ATTR_POOL_MAX => 0]],
    ['sqlite:/tmp/x', [PDO::ATTR_POOL_MIN => 5, PDO::ATTR_POOL_MAX => 3]],
    ['odbc:x', []],
] as [$dsn, $options]) {
    try {
        new PDO($dsn, null, null, $options + [PDO::ATTR_POOL_ENABLED => true]);
    } catch (PDOException $error) {
        echo $error->getMessage(), "\n";
    }
}
$shared = new PDO('sqlite:file:trueasync?mode=memory&cache=shared', null, null, [PDO::ATTR_POOL_ENABLED => true]);
var_dump($shared->query('SELECT 1')->fetchColumn());
--EXPECT--
PDO::ATTR_POOL_ENABLED: each connection would get its own in-memory database; use a file or "sqlite:file:NAME?mode=memory&cache=shared"
PDO::ATTR_POOL_ENABLED: each connection would get its own in-memory database; use a file or "sqlite:file:NAME?mode=memory&cache=shared"
PDO::ATTR_POOL_ENABLED cannot be combined with PDO::ATTR_PERSISTENT
PDO::ATTR_POOL_MAX must be greater than 0
PDO::ATTR_POOL_MIN must be between 0 and PDO::ATTR_POOL_MAX
PDO::ATTR_POOL_ENABLED supports only the drivers pgsql, mysql and sqlite
int(1)
