<?php

namespace Async;

/** Values by key, of a scope or a coroutine. A lookup continues in the parent scopes. */
final class Context
{
    /** Not callable: contexts come from scopes, coroutines and the *_context() functions. */
    private function __construct() {}

    /** The value of the key in this context or a parent; null if there is none. */
    public function find(string|object $key): mixed {}

    /**
     * The value of the key in this context or a parent.
     *
     * @throws ContextException there is no such key
     */
    public function get(string|object $key): mixed {}

    public function has(string|object $key): bool {}

    /** As find(), but only in this context. */
    public function findLocal(string|object $key): mixed {}

    /** As get(), but only in this context. */
    public function getLocal(string|object $key): mixed {}

    /** As has(), but only in this context. */
    public function hasLocal(string|object $key): bool {}

    /**
     * Sets a value in this context.
     *
     * @throws ContextException the key exists in this context and $replace is false
     */
    public function set(string|object $key, mixed $value, bool $replace = false): Context {}

    public function unset(string|object $key): Context {}
}
