// EpollRegistration: an edge-triggered DescriptorRegistration. The kernel reports each change once. Readiness that is
// reported while no coroutine waits stays pending. Every user of the descriptor must try the system call before it
// waits.
//
// Lifetime: a reference to one of its events, such as that of a waiter, keeps the whole registration alive.
#pragma once

#include "reactor/descriptor_registration.hpp"
#include "reactor/epoll/epoll_poller.hpp"
#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class EpollRegistration final : public DescriptorRegistration, private EpollEntry {
 public:
  EpollRegistration(EpollReactor& reactor, int fd) noexcept;

  Event& readable() noexcept override { return readable_; }
  Event& writable() noexcept override { return writable_; }
  ReadinessQueue* readable_queue() noexcept override { return ensure_registered() == 0 ? &readable_ : nullptr; }
  ReadinessQueue* writable_queue() noexcept override { return ensure_registered() == 0 ? &writable_ : nullptr; }
  void close(std::exception_ptr reason) noexcept override;
  void abandon() noexcept override;
  void on_reactor_closed() noexcept;

 protected:
  void dispose() noexcept override;

 private:
  class Direction final : public Event, public ReadinessQueue {
   public:
    Direction(LivenessCounts& liveness, EpollRegistration& registration, PollBits bit) noexcept
        : Event(&liveness), ReadinessQueue(*this, liveness), registration_(registration), bit_(bit) {}

    using ReadinessQueue::set_hung_up;
    using ReadinessQueue::wake_all;
    void on_ready(unsigned bits) noexcept;
    void on_reactor_closed() noexcept { detach_liveness(); }
    // Pending readiness ends the next wait, once.
    bool replay(Notification& result) const noexcept override;
    // A notified waiter was cancelled before it tried: the readiness stays pending for the next waiter.
    bool reclaim(Subscription&) noexcept override;
    std::string describe() const override;

   protected:
    std::exception_ptr on_start() noexcept override;
    void dispose() noexcept override;

   private:
    EpollRegistration& registration_;
    PollBits bit_;
  };

  ~EpollRegistration() { unregister(); }
  void on_ready(std::uint32_t events) noexcept override;
  // Returns 0 or errno.
  int ensure_registered() noexcept { return is_registered() ? 0 : add(); }
  int add() noexcept;
  void unregister() noexcept;

  EpollReactor* reactor_;
  unsigned live_directions_ = 2;
  Direction readable_;
  Direction writable_;
  ReactorObserverLink<EpollRegistration> observer_;
};

}  // namespace trueasync::detail
