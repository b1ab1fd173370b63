<?php

namespace Async;

/** The number of processors that this process may use; at least 1. */
function available_parallelism(): int {}

/**
 * The CPU usage since the previous call. The first call returns zeros.
 *
 * @return array{process_cores: float, process_percent: float, system_percent: float, cpu_count: int, interval_sec: float, loadavg: array{0: float, 1: float, 2: float}|null}
 */
function cpu_usage(): array {}

/**
 * The load averages of 1, 5 and 15 minutes; null if the system has none.
 *
 * @return array{0: float, 1: float, 2: float}|null
 */
function loadavg(): ?array {}

/**
 * Counters of the scheduler.
 *
 * @return array<string, int>
 */
function runtime_stats(): array {}
