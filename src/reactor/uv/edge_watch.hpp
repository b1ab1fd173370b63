// DescriptorWatch of a connection, edge-triggered: the kernel tells of every arrival once, and what comes while nobody
// waits is kept. Only for descriptors of which every owner tries before it waits.
//
// Lifetime: its events are parts of it, and whoever holds one of them – it waits, say – holds all of it.
#pragma once

#include "reactor/descriptor_watch.hpp"
#include "reactor/uv/edge_poller.hpp"
#include "reactor/uv/uv_guest.hpp"

namespace trueasync::detail {

class EdgeWatch final : public DescriptorWatch, private EdgeRegistration {
 public:
  EdgeWatch(UvReactor& reactor, int fd) noexcept;

  Event& readable() noexcept override { return readable_; }
  Event& writable() noexcept override { return writable_; }
  DirectWait* direct_readable() noexcept override { return begin() == 0 ? &readable_ : nullptr; }
  DirectWait* direct_writable() noexcept override { return begin() == 0 ? &writable_ : nullptr; }
  void close(std::exception_ptr reason) noexcept override;
  void lose() noexcept override;
  void on_reactor_gone() noexcept;

 protected:
  void dispose() noexcept override;

 private:
  class Side final : public Event, public DirectWait {
   public:
    Side(Liveness& liveness, EdgeWatch& watch, PollBits bit) noexcept
        : Event(&liveness), DirectWait(*this, liveness), watch_(watch), bit_(bit) {}

    using DirectWait::note_end;
    using DirectWait::serve_all;
    void tell(unsigned bits) noexcept;
    void on_reactor_gone() noexcept { forget_liveness(); }
    // What came while nobody waited ends the next wait, once.
    bool replay(Notification& result) const noexcept override;
    // Whoever was told and leaves has not looked: the next one must.
    bool reclaim(Subscription&) noexcept override;
    std::string describe() const override;

   protected:
    std::exception_ptr on_start() noexcept override;
    void dispose() noexcept override;

   private:
    EdgeWatch& watch_;
    PollBits bit_;
  };

  ~EdgeWatch() { end(); }
  void tell(std::uint32_t events) noexcept override;
  // 0 or errno.
  int begin() noexcept { return is_registered() ? 0 : add(); }
  int add() noexcept;
  void end() noexcept;

  UvReactor* reactor_;
  unsigned parts_held_ = 2;
  Side readable_;
  Side writable_;
  UvGuest<EdgeWatch> guest_;
};

}  // namespace trueasync::detail
