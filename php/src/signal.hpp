// Async\Signal, the enum of what signal() waits for.
#pragma once

namespace trueasync::php {

void register_signal();

}  // namespace trueasync::php
