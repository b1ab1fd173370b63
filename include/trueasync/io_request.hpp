// IoRequest: one read or write as an event (AIO-02): started by the wait, completed once, with result, error and a
// completed flag. Wait for several of them, or for one together with timers and channels.
//
// Owns: a share of its handle; for files also the bytes, because a thread works on them (CA-10). The caller's buffer must
// live until the request is completed or let go. Dropped before it completed: nothing was taken from a stream; of a
// file the operation ends by itself. Threads: the runtime's. Errors: result() throws what the operation met.
#pragma once

#include <cerrno>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT IoRequest : public Event {
 public:
  bool is_completed() const noexcept { return completed_; }
  // How many bytes; 0 for a read at the end. Throws IoError; MisuseError before it is completed.
  virtual std::size_t result() const = 0;
  // errno, 0 without an error; EBADF when the handle was closed on our side.
  int error() const noexcept { return error_ < 0 ? EBADF : error_; }
  // So far: a write that was let go half way tells how much of it was taken.
  std::size_t bytes() const noexcept { return bytes_; }

  bool replay(Notification& notification) const noexcept override {
    notification = {bytes_, nullptr};
    return completed_;
  }
  // The bytes have moved and can't be handed on: whoever waited must take them, a cancellation comes after that (R1).
  bool reclaim(Subscription&) noexcept override { return !completed_; }

 protected:
  using Event::Event;
  // As given to complete().
  int outcome() const noexcept { return error_; }
  void progress(std::size_t bytes) noexcept { bytes_ = bytes; }
  void complete(std::size_t bytes, int error) noexcept {
    completed_ = true;
    bytes_ = bytes;
    error_ = error;
    notify({bytes, nullptr});
  }

 private:
  std::size_t bytes_ = 0;
  int error_ = 0;
  bool completed_ = false;
};

}  // namespace trueasync
