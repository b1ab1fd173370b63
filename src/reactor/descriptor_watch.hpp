// A registration of one descriptor that stays while its owner does I/O on it: waiting again and again costs no system
// call. The loop listens lazily: it begins with the first wait, and stops when readiness came that nobody waited for.
//
// Owns: the registration, not the descriptor. Lifetime: close() before the descriptor is closed; counted, may outlive
// the reactor. Threads: the reactor's. Errors: starting an event returns them.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class DescriptorWatch {
 public:
  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) dispose();
  }

  // Fire once per wait, with PollBits. An error condition fires both (IO-08).
  virtual Event& readable() noexcept = 0;
  virtual Event& writable() noexcept = 0;
  // The descriptor will be closed: whoever waits is told `reason`, and the loop forgets the descriptor at once.
  virtual void close(std::exception_ptr reason) noexcept = 0;

 protected:
  ~DescriptorWatch() = default;
  virtual void dispose() noexcept = 0;

 private:
  unsigned references_ = 1;
};

}  // namespace trueasync::detail
