<?php

namespace Async;

/** A change that a FileSystemWatcher saw. */
final class FileSystemEvent
{
    /** The path that is watched. */
    public readonly string $path;
    /** The file, below the path. */
    public readonly ?string $filename;
    /** Created, deleted or renamed. */
    public readonly bool $renamed;
    /** Written to. */
    public readonly bool $changed;

    /** Not for use: a FileSystemWatcher makes events. */
    private function __construct() {}
}

/** Watches a file or directory from its construction on; foreach gives the events. */
final class FileSystemWatcher implements Awaitable, \IteratorAggregate
{
    public function __construct(
        string $path,
        bool $recursive = false,
        bool $coalesce = true,
        int $debounceMs = 0,
        int $maxHoldMs = 0,
        array $extensions = []
    ) {}

    public function close(): void {}

    public function isClosed(): bool {}

    /** @return \Iterator<int, FileSystemEvent> */
    public function getIterator(): \Iterator {}
}
