<?php

namespace Async;

/** Runs the closure in a thread of its own; needs a thread-safe PHP. */
function spawn_thread(\Closure $task, bool $inherit = true, ?\Closure $bootloader = null): Thread {}
