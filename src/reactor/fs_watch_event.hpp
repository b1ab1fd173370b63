// Changes below one directory (REA-02).
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class FsWatchEvent : public Event {};

}  // namespace trueasync::detail
