<?php

namespace Async;

/** Waits for so many milliseconds; 0 is a plain suspend(). */
function delay(int $ms): void {}

/** A token that ends a wait after so many milliseconds. */
function timeout(int $ms): Timeout {}
