// The context switch alone.
#pragma once

#include <cstdint>

namespace baseline {

// Reports the faster of the two switches in switch.hpp, in ns per switch.
void measure_raw_switch(std::uint64_t);

}  // namespace baseline
