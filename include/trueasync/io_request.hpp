// IoRequest: one read or write as an event, for waiting on several requests or on a request together with timers and
// channels. It starts with the wait and completes once.
//
// A request that is destroyed before it completes has consumed no data from a stream; an operation on a file finishes
// on its own.
//
// Ownership: a share of its handle; for files also a copy of the bytes, because a worker thread uses them.
// Lifetime: the caller's buffer must stay valid until the request has completed or is destroyed.
// Thread safety: one runtime.
// Errors: result() throws the error of the operation.
#pragma once

#include <cerrno>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT IoRequest : public Event {
 public:
  bool is_completed() const noexcept { return completed_; }
  // The number of bytes; 0 for a read at the end of the stream. Throws IoError; MisuseError before completion.
  virtual std::size_t result() const = 0;
  // errno, 0 without an error; EBADF if the handle was closed locally.
  int error() const noexcept { return error_ < 0 ? EBADF : error_; }
  // The bytes transferred so far, also of a write that was abandoned half way.
  std::size_t bytes() const noexcept { return bytes_; }

  bool replay(Notification& notification) const noexcept override {
    notification = {bytes_, nullptr};
    return completed_;
  }
  // The transferred bytes cannot be granted to another waiter: the waiter keeps them and gets a cancellation
  // afterwards.
  bool reclaim(Subscription&) noexcept override { return !completed_; }

 protected:
  using Event::Event;
  // The error as passed to complete().
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
