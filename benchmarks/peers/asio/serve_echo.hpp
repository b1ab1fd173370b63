#pragma once

#include <cstdint>

void serve_echo(std::uint64_t unused);
