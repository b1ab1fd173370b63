// A name lookup, forward or reverse, on a thread (REA-02).
#pragma once

#include <string>
#include <vector>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

struct LookupQuery {};

class LookupEvent : public Event {};

}  // namespace trueasync::detail
