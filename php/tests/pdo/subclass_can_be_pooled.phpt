--TEST--
A user class that extends PDO can be pooled
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/db.inc';
use function Async\{spawn, await, suspend, delay};


class UserPdo extends PDO
{
    public function __construct(private string $file)
    {
        parent::__construct("sqlite:$file", null, null, [PDO::ATTR_POOL_ENABLED => true]);
    }
    public function answer(): int
    {
        return $this->query('SELECT 42')->fetchColumn();
    }
}
$file = tempnam(sys_get_temp_dir(), 'pdo');
$pdo = new UserPdo($file);
var_dump(await(spawn($pdo->answer(...))), $pdo->answer(), $pdo instanceof UserPdo);
unlink($file);
--EXPECT--
int(42)
int(42)
bool(true)
