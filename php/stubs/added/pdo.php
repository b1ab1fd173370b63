<?php

/**
 * Members that the extension adds to PDO. With the constructor option ATTR_POOL_ENABLED, the object is a pool: each
 * coroutine uses its own connection. A connection is rolled back and reset before it returns to the pool.
 */
class PDO
{
    /** bool: this object is a pool. For the drivers pgsql, mysql and sqlite; not with ATTR_PERSISTENT. */
    public const ATTR_POOL_ENABLED = 71000;
    /** int: connections that are created by the constructor and kept; default 0. */
    public const ATTR_POOL_MIN = 71001;
    /** int: maximum number of connections; default 10. */
    public const ATTR_POOL_MAX = 71002;
    /** int: seconds between health checks of idle connections; default 0: check only on acquire. */
    public const ATTR_POOL_HEALTHCHECK_INTERVAL = 71003;
    /** int: prepared statements that each connection keeps for reuse; default 0. */
    public const ATTR_POOL_STMT_CACHE_SIZE = 71004;

    /** The pool of connections; null without ATTR_POOL_ENABLED. */
    public function getPool(): ?Async\Pool {}
}
