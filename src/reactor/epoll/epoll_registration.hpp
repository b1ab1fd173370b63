// DescriptorRegistration of a connection, edge-triggered: the kernel tells of every arrival once, and what comes while nobody
// waits is kept. Only for descriptors of which every owner tries before it waits.
//
// Lifetime: its events are parts of it, and whoever holds one of them – it waits, say – holds all of it.
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
  ReadinessQueue* readable_queue() noexcept override { return begin() == 0 ? &readable_ : nullptr; }
  ReadinessQueue* writable_queue() noexcept override { return begin() == 0 ? &writable_ : nullptr; }
  void close(std::exception_ptr reason) noexcept override;
  void abandon() noexcept override;
  void on_reactor_closed() noexcept;

 protected:
  void dispose() noexcept override;

 private:
  class Direction final : public Event, public ReadinessQueue {
   public:
    Direction(LivenessCounts& liveness, EpollRegistration& watch, PollBits bit) noexcept
        : Event(&liveness), ReadinessQueue(*this, liveness), watch_(watch), bit_(bit) {}

    using ReadinessQueue::set_hung_up;
    using ReadinessQueue::wake_all;
    void on_ready(unsigned bits) noexcept;
    void on_reactor_closed() noexcept { detach_liveness(); }
    // What came while nobody waited ends the next wait, once.
    bool replay(Notification& result) const noexcept override;
    // Whoever was told and leaves has not looked: the next one must.
    bool reclaim(Subscription&) noexcept override;
    std::string describe() const override;

   protected:
    std::exception_ptr on_start() noexcept override;
    void dispose() noexcept override;

   private:
    EpollRegistration& watch_;
    PollBits bit_;
  };

  ~EpollRegistration() { end(); }
  void on_ready(std::uint32_t events) noexcept override;
  // 0 or errno.
  int begin() noexcept { return is_registered() ? 0 : add(); }
  int add() noexcept;
  void end() noexcept;

  EpollReactor* reactor_;
  unsigned parts_held_ = 2;
  Direction readable_;
  Direction writable_;
  ReactorObserverLink<EpollRegistration> guest_;
};

}  // namespace trueasync::detail
