<?php

namespace Async;

/** CPU time counters in nanoseconds at one point in time. The difference of two snapshots is the usage between them. */
final class CpuSnapshot
{
    public readonly int $wallNs;
    public readonly int $processUserNs;
    public readonly int $processSystemNs;
    public readonly int $systemIdleNs;
    public readonly int $systemBusyNs;
    public readonly int $cpuCount;

    /** Not callable: use now(). */
    private function __construct() {}

    public static function now(): CpuSnapshot {}
}
