// DescriptorRegistration on libuv: two lasting poll events on the descriptor's shared handle.
#pragma once

#include "reactor/descriptor_registration.hpp"
#include "reactor/uv/uv_poll.hpp"

namespace trueasync::detail {

// Lifetime: its events are parts of it, and whoever holds one of them – it waits, say – holds all of it. The watch has a
// share of each while it is held itself; when nobody holds either it goes.
class UvPollRegistration final : public DescriptorRegistration, public ReactorObserver {
 public:
  UvPollRegistration(EpollReactor& reactor, int fd) noexcept
      : readable_(reactor, fd, kPollReadable, *this), writable_(reactor, fd, kPollWritable, *this) {
    reactor.observers().push_back(*this);
  }

  Event& readable() noexcept override { return readable_; }
  Event& writable() noexcept override { return writable_; }

  void close(std::exception_ptr reason) noexcept override {
    readable_.close(reason);
    writable_.close(std::move(reason));
    readable_.unregister();
    writable_.unregister();
    readable_.close_descriptor_waits();
  }

  void on_reactor_closed() noexcept override {
    readable_.on_reactor_closed();
    writable_.on_reactor_closed();
  }

 protected:
  void dispose() noexcept override {
    readable_.release();
    writable_.release();  // the last one takes the watch along
  }

 private:
  class Part final : public UvPoll {
   public:
    Part(EpollReactor& reactor, int fd, unsigned bits, UvPollRegistration& watch) noexcept
        : UvPoll(reactor, fd, bits, Lifetime::persistent), watch_(watch) {}

   protected:
    void dispose() noexcept override {
      if (--watch_.parts_held_ == 0) delete &watch_;
    }

   private:
    UvPollRegistration& watch_;
  };

  ~UvPollRegistration() {
    if (ReactorObserver::is_linked()) ReactorObserver::unlink();
  }

  Part readable_;
  Part writable_;
  unsigned parts_held_ = 2;
};

}  // namespace trueasync::detail
