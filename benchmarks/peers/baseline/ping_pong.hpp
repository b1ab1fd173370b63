#pragma once

#include <cstdint>

namespace baseline {

// One round trip between two threads.
void measure_ping_pong(std::uint64_t unused);

}  // namespace baseline
