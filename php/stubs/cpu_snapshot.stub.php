<?php

namespace Async;

/** Counters of the processors at one moment; the difference of two says something. */
final class CpuSnapshot
{
    public readonly int $wallNs;
    public readonly int $processUserNs;
    public readonly int $processSystemNs;
    public readonly int $systemIdleNs;
    public readonly int $systemBusyNs;
    public readonly int $cpuCount;

    /** Not for use: now() makes them. */
    private function __construct() {}

    public static function now(): CpuSnapshot {}
}
