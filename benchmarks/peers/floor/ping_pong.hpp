#pragma once

#include <cstdint>

namespace floor_runtime {

// One round trip between two threads.
void measure_ping_pong(std::uint64_t unused);

}  // namespace floor_runtime
