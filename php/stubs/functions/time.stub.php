<?php

namespace Async;

/** Suspends the current coroutine for at least $ms milliseconds; 0: as suspend(). */
function delay(int $ms): void {}

/** Creates a cancellation token that fires after $ms milliseconds. */
function timeout(int $ms): Timeout {}
