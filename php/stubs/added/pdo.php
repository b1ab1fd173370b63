<?php

/**
 * Added to PDO: with ATTR_POOL_ENABLED among the constructor's options each coroutine works on a connection of its own,
 * which goes back to the pool when it is not needed, rolled back and reset.
 */
class PDO
{
    /** bool: this object is a pool. For the drivers pgsql, mysql and sqlite; excludes ATTR_PERSISTENT. */
    public const ATTR_POOL_ENABLED = 71000;
    /** int: connections made at construction, and kept; 0 if not given. */
    public const ATTR_POOL_MIN = 71001;
    /** int: the most connections there are; 10 if not given. */
    public const ATTR_POOL_MAX = 71002;
    /** int: seconds between two checks of idle connections; 0, if not given: none but the look at hand-out. */
    public const ATTR_POOL_HEALTHCHECK_INTERVAL = 71003;
    /** int: prepared statements that each connection keeps for reuse; 0, if not given: none. */
    public const ATTR_POOL_STMT_CACHE_SIZE = 71004;

    /** The pool of connections; null without ATTR_POOL_ENABLED. */
    public function getPool(): ?Async\Pool {}
}
