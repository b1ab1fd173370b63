<?php

namespace Async;

/** Runs the closure in a new thread. Requires a thread-safe PHP. */
function spawn_thread(\Closure $task, bool $inherit = true, ?\Closure $bootloader = null): Thread {}
