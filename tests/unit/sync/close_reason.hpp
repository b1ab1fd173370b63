// reason_of(): the close reason that a channel operation throws.
#pragma once

#include <functional>

#include "trueasync/sync/channel.hpp"

namespace trueasync {

// CloseReason::none if `call` does not throw ChannelError.
inline CloseReason reason_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ChannelError& error) {
    return error.reason();
  }
  return CloseReason::none;
}

}  // namespace trueasync
