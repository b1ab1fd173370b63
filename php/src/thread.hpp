// Async\Thread, ThreadPool and ThreadChannel: they need a thread-safe PHP, and say so on every other.
#pragma once

namespace trueasync::php {

void register_thread();

}  // namespace trueasync::php
