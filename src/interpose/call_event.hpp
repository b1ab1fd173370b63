// CallEvent: names a wait inside a replaced call in dumps and deadlock reports, for example "recv of descriptor 5". It
// never fires. The waiter is woken by other events of the same wait or through the wait queue that holds its entry.
#pragma once

#include <string>

#include "trueasync/event.hpp"

namespace trueasync::detail::interpose {

class CallEvent final : public Event {
 public:
  static constexpr int kNoDescriptor = -1;

  explicit CallEvent(const char* call, int fd = kNoDescriptor) noexcept : call_(call), fd_(fd) {}
  ~CallEvent() override = default;

  std::string describe() const override {
    return fd_ == kNoDescriptor ? std::string(call_) : std::string(call_) + " of descriptor " + std::to_string(fd_);
  }
  bool reclaim(Subscription&) noexcept override { return true; }

 private:
  const char* call_;
  int fd_;
};

}  // namespace trueasync::detail::interpose
