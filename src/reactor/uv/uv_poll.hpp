// Descriptor readiness. All events on one descriptor share one uv_poll_t, which listens to the union of what the
// started ones ask for; each is told only what it asked for (REA-03).
#pragma once

#include "reactor/descriptor_registration.hpp"
#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class UvPoll;

// The shared handle; exists while an event on the descriptor is started, or a lasting one rests between two waits.
class UvPollHandle final : public UvHandleOwner {
 public:
  // Null and an error text code when the descriptor can't be polled (closed, a regular file).
  static UvPollHandle* find_or_make(EpollReactor& reactor, int fd, int& code);

  int add(UvPoll& event) noexcept;
  // The event waits no longer. Of a lasting one the loop goes on listening: it will be back soon.
  void park_idle(UvPoll& event) noexcept;
  void remove(UvPoll& event) noexcept;
  // The descriptor is about to be closed: whoever still waits for it is told, for its number may soon mean another one.
  static void close_waits(EpollReactor& reactor, int fd) noexcept;
  std::string close_and_describe() noexcept override;

 private:
  void close_waits(const std::exception_ptr& reason) noexcept;
  UvPollHandle(EpollReactor& reactor, int fd) noexcept : reactor_(reactor), fd_(fd) {}
  int set_interest(int wanted) noexcept;
  void update_interest() noexcept;
  int active_interest() const noexcept;
  void close_if_unused() noexcept;
  void on_ready(int status, int events) noexcept;

  static constexpr unsigned kMaxUnclaimedRounds = 64;

  EpollReactor& reactor_;
  int fd_;
  int listening_ = 0;
  unsigned unclaimed_rounds_ = 0;  // turns that brought readiness nobody waited for
  bool dispatching_ = false;
  uv_poll_t* handle_ = nullptr;
  IntrusiveList<UvPoll> started_;
  IntrusiveList<UvPoll> idle_;
};

class UvPoll : public Event, public ListHook {
 public:
  // A lasting event keeps its registration between waits.
  enum class Lifetime : std::uint8_t { per_wait, persistent };

  UvPoll(EpollReactor& reactor, int fd, unsigned bits, Lifetime stay = Lifetime::per_wait) noexcept
      : Event(&reactor.liveness()), reactor_(&reactor), fd_(fd), bits_(bits), stay_(stay) {}
  ~UvPoll() override { unregister(); }

  unsigned bits() const noexcept { return bits_; }
  std::string describe() const override;
  void notify_ready(unsigned ready, std::exception_ptr error) noexcept { notify({ready, std::move(error)}); }
  // Ends the registration of a lasting event.
  void unregister() noexcept {
    if (handle_) std::exchange(handle_, nullptr)->remove(*this);
  }
  // Of all events on the descriptor, not only this one.
  void close_descriptor_waits() noexcept;
  // The reactor goes: starting is an error from now on. Whoever has a handle is told once more, when that is closed.
  void on_reactor_closed() noexcept { reactor_ = nullptr; }
  // The reactor is gone: stopping does nothing any more.
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
  Lifetime stay_;
};

// An event of its own, which nobody else tells that the reactor goes.
class UvStandalonePoll final : public UvPoll {
 public:
  UvStandalonePoll(EpollReactor& reactor, int fd, unsigned bits) noexcept
      : UvPoll(reactor, fd, bits), guest_(reactor, *this) {}

 private:
  ReactorObserverLink<UvPoll> guest_;
};

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
