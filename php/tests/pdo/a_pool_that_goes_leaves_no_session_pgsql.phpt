--TEST--
TE-02: a pool that goes leaves none of its sessions at the server, however it goes; those of others are not counted
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('TRUEASYNC_PGSQL_DSN')) die('skip there is no server: see ./test php-servers');
--FILE--
<?php
require __DIR__ . '/pools_that_go.inc';
pools_that_go('pgsql');
--EXPECT--
unused at last: 4 sessions, then 0, others 1
in a cycle: 4 sessions, then 0, others 2
after a cancelled query: 4 sessions, then 0, others 3
with transactions open: 4 sessions, then 0, others 4
