<?php

namespace Async;

/** A change that a FileSystemWatcher reports. */
final class FileSystemEvent
{
    /** The watched path. */
    public readonly string $path;
    /** The changed file, relative to the path; null if unknown. */
    public readonly ?string $filename;
    /** The file was created, deleted or renamed. */
    public readonly bool $renamed;
    /** The file was written to. */
    public readonly bool $changed;

    /** Not callable: events come from a FileSystemWatcher. */
    private function __construct() {}
}

/** Watches a file or directory from its construction until close(). foreach yields the events. */
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
