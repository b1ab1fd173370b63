// Level-triggered descriptor readiness. All events on one descriptor share one uv_poll_t. Its interest is the union of
// the interests of the started events. Each event is notified only of its own interest.
#pragma once

#include "reactor/descriptor_registration.hpp"
#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class UvPoll;

// UvPollHandle: the shared handle. It exists while an event on the descriptor is started or a persistent event is idle
// between two waits.
class UvPollHandle final : public UvHandleOwner {
 public:
  // Returns null and sets `code` if the descriptor cannot be polled (closed, or a regular file).
  static UvPollHandle* find_or_create(EpollReactor& reactor, int fd, int& code);

  int add(UvPoll& event) noexcept;
  // The event is stopped. A persistent event keeps its registration, because another wait is likely.
  void park_idle(UvPoll& event) noexcept;
  void remove(UvPoll& event) noexcept;
  // The descriptor is about to be closed: ends all waits for it, because its number may soon refer to another file.
  static void close_waits(EpollReactor& reactor, int fd) noexcept;
  std::string close_and_describe() noexcept override;

 private:
  void close_waits(const std::exception_ptr& reason) noexcept;
  UvPollHandle(EpollReactor& reactor, int fd) noexcept : reactor_(reactor), fd_(fd) {}
  int set_interest(int interest) noexcept;
  void update_interest() noexcept;
  int active_interest() const noexcept;
  void close_if_unused() noexcept;
  void on_ready(int status, int events) noexcept;

  static constexpr unsigned kMaxUnclaimedRounds = 64;

  EpollReactor& reactor_;
  int fd_;
  int interest_ = 0;
  unsigned unclaimed_rounds_ = 0;  // iterations with readiness that no event waited for
  bool dispatching_ = false;
  uv_poll_t* handle_ = nullptr;
  IntrusiveList<UvPoll> started_;
  IntrusiveList<UvPoll> idle_;
};

class UvPoll : public Event, public ListHook {
 public:
  // A persistent event keeps its registration between waits.
  enum class Lifetime : std::uint8_t { per_wait, persistent };

  UvPoll(EpollReactor& reactor, int fd, unsigned bits, Lifetime lifetime = Lifetime::per_wait) noexcept
      : Event(&reactor.liveness()), reactor_(&reactor), fd_(fd), bits_(bits), lifetime_(lifetime) {}
  ~UvPoll() override { unregister(); }

  unsigned bits() const noexcept { return bits_; }
  std::string describe() const override;
  void notify_ready(unsigned ready, std::exception_ptr error) noexcept { notify({ready, std::move(error)}); }
  // Ends the registration of a persistent event.
  void unregister() noexcept {
    if (handle_) std::exchange(handle_, nullptr)->remove(*this);
  }
  // Ends the waits of all events on the descriptor.
  void close_descriptor_waits() noexcept;
  // The reactor closes: a start fails from now on. detach_reactor() follows when the handle is closed.
  void on_reactor_closed() noexcept { reactor_ = nullptr; }
  // The handle is closed: a stop has no effect any more.
  void detach_reactor() noexcept {
    detach_liveness();
    handle_ = nullptr;
    reactor_ = nullptr;
  }

 protected:
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  EpollReactor* reactor_;
  UvPollHandle* handle_ = nullptr;
  int fd_;
  unsigned bits_;
  Lifetime lifetime_;
};

// UvStandalonePoll: a poll event that observes the reactor itself.
class UvStandalonePoll final : public UvPoll {
 public:
  UvStandalonePoll(EpollReactor& reactor, int fd, unsigned bits) noexcept
      : UvPoll(reactor, fd, bits), observer_(reactor, *this) {}

 private:
  ReactorObserverLink<UvPoll> observer_;
};

// UvPollRegistration: a level-triggered DescriptorRegistration with two persistent poll events on the shared handle.
//
// Lifetime: a reference to one of its events keeps the whole registration alive. The registration holds a reference to
// each event while it is referenced itself, and is deleted with the last event.
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
    writable_.release();  // the last release deletes the registration
  }

 private:
  class Direction final : public UvPoll {
   public:
    Direction(EpollReactor& reactor, int fd, unsigned bits, UvPollRegistration& registration) noexcept
        : UvPoll(reactor, fd, bits, Lifetime::persistent), registration_(registration) {}

   protected:
    void dispose() noexcept override {
      if (--registration_.live_directions_ == 0) delete &registration_;
    }

   private:
    UvPollRegistration& registration_;
  };

  ~UvPollRegistration() {
    if (ReactorObserver::is_linked()) ReactorObserver::unlink();
  }

  Direction readable_;
  Direction writable_;
  unsigned live_directions_ = 2;
};

}  // namespace trueasync::detail
