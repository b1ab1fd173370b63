--TEST--
TE-02: a destroyed pool leaves no session at the server, however it is destroyed
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_MYSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/destroyed_pools.inc';
check_destroyed_pools('mysql');
--EXPECT--
unreferenced: 4 sessions, then 0, other sessions 1
in a cycle: 4 sessions, then 0, other sessions 2
after a cancelled query: 4 sessions, then 0, other sessions 3
with transactions open: 4 sessions, then 0, other sessions 4
