// ChannelFuture: the future of recvAsync(), with its references for the cycle collector.
//
// Two objects can wake a waiter of this future: the future, by cancel(), and the channel. So while a waiter exists, the
// future's object has one more reference, which the channel reports. The waiter is garbage only if neither object is
// reachable. Without waiters, the future is removed from the channel's queue when its last reference is released.
#pragma once

#include "future.hpp"
#include "trueasync/sync/channel.hpp"

namespace trueasync::php {

class ChannelFuture final : public detail::ReceiveFuture<Value> {
 public:
  using ReceiveFuture::ReceiveFuture;

  // Called by the channel while the future is in its queue.
  void report(GcBuffer& buffer) const noexcept {
    if (object) object->report_pending_references(buffer);
  }

  FutureStateObject* object = nullptr;  // null after the object was destroyed

 protected:
  std::exception_ptr on_start() noexcept override {
    if (object) GC_ADDREF(object_of(*object));
    return nullptr;
  }
  // Never the last reference: the waiter still has one. The collector must not run here, in the middle of a wake.
  void on_stop() noexcept override {
    if (object) GC_DELREF(object_of(*object));
  }
};

}  // namespace trueasync::php
