// The end of a child process (REA-02).
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class ProcessEvent : public Event {};

}  // namespace trueasync::detail
