// The bare switch, nothing around it.
#pragma once

#include <cstdint>

namespace floor_runtime {

// Reports the cheaper of the two switches of switch.hpp, in ns per switch.
void measure_raw_switch(std::uint64_t);

}  // namespace floor_runtime
