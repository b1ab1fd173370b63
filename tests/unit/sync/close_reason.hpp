// Why a channel refuses a call.
#pragma once

#include <functional>

#include "trueasync/channel.hpp"

namespace trueasync {

// None: it was not refused.
inline CloseReason reason_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ChannelError& error) {
    return error.reason();
  }
  return CloseReason::none;
}

}  // namespace trueasync
