// The future of recvAsync(), as the collector sees it.
//
// Two could wake whoever waits for it: those who have the future, by cancelling it, and those who have the channel. So
// while it is waited for its object has one reference more, which the channel reports: both must be out of reach before
// the waiting one is garbage. Without waiters it goes when nobody has it, and leaves the channel's queue.
#pragma once

#include "future.hpp"
#include "trueasync/channel.hpp"

namespace trueasync::php {

class ChannelFuture final : public detail::ReceiveFuture<Value> {
 public:
  using ReceiveFuture::ReceiveFuture;

  // For the channel, while this stands in its queue.
  void report(GcBuffer& buffer) const noexcept {
    if (object) object->report_pending_references(buffer);
  }

  FutureStateObject* object = nullptr;  // while it is there

 protected:
  std::exception_ptr on_start() noexcept override {
    if (object) GC_ADDREF(object_of(*object));
    return nullptr;
  }
  // Never the last one: whoever waited has it still. The collector must not run here, in the middle of a wake.
  void on_stop() noexcept override {
    if (object) GC_DELREF(object_of(*object));
  }
};

}  // namespace trueasync::php
