<?php

namespace Async;

/** Values by key, for a scope or a coroutine; a look-up goes up through the scopes. */
final class Context
{
    /** Not for use: scopes and coroutines have contexts. */
    private function __construct() {}

    /** The value here or above, or null. */
    public function find(string|object $key): mixed {}

    /** The value here or above; throws ContextException if there is none. */
    public function get(string|object $key): mixed {}

    public function has(string|object $key): bool {}

    public function findLocal(string|object $key): mixed {}

    public function getLocal(string|object $key): mixed {}

    public function hasLocal(string|object $key): bool {}

    /** A key that is there already needs $replace. */
    public function set(string|object $key, mixed $value, bool $replace = false): Context {}

    public function unset(string|object $key): Context {}
}
