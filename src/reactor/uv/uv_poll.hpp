// Descriptor readiness. All events on one descriptor share one uv_poll_t, which listens to the union of what the
// started ones ask for; each is told only what it asked for (REA-03).
#pragma once

#include "reactor/uv/uv_guest.hpp"

namespace trueasync::detail {

class UvPoll;

// The shared handle; exists while an event on the descriptor is started, or a lasting one rests between two waits.
class UvPollHandle final : public UvOwner {
 public:
  // Null and an error text code when the descriptor can't be polled (closed, a regular file).
  static UvPollHandle* find_or_make(UvReactor& reactor, int fd, int& code);

  int add(UvPoll& event) noexcept;
  // The event waits no longer. Of a lasting one the loop goes on listening: it will be back soon.
  void rest(UvPoll& event) noexcept;
  void remove(UvPoll& event) noexcept;
  // The descriptor is about to be closed: whoever still waits for it is told, for its number may soon mean another one.
  static void give_up(UvReactor& reactor, int fd) noexcept;
  std::string on_reactor_closed() noexcept override;

 private:
  void give_up(const std::exception_ptr& reason) noexcept;
  UvPollHandle(UvReactor& reactor, int fd) noexcept : reactor_(reactor), fd_(fd) {}
  int listen_to(int wanted) noexcept;
  void listen_to_started() noexcept;
  int wanted_by_started() const noexcept;
  void retire_if_unused() noexcept;
  void on_ready(int status, int events) noexcept;

  static constexpr unsigned kPatience = 64;

  UvReactor& reactor_;
  int fd_;
  int listening_ = 0;
  unsigned unclaimed_ = 0;  // turns that brought readiness nobody waited for
  bool telling_ = false;
  uv_poll_t* handle_ = nullptr;
  IntrusiveList<UvPoll> started_;
  IntrusiveList<UvPoll> resting_;
};

class UvPoll : public Event, public ListHook {
 public:
  // A lasting event keeps its registration between waits.
  enum class Stay : std::uint8_t { waiting, lasting };

  UvPoll(UvReactor& reactor, int fd, unsigned bits, Stay stay = Stay::waiting) noexcept
      : Event(&reactor.liveness()), reactor_(&reactor), fd_(fd), bits_(bits), stay_(stay) {}
  ~UvPoll() override { let_go(); }

  unsigned bits() const noexcept { return bits_; }
  std::string describe() const override;
  void tell(unsigned ready, std::exception_ptr error) noexcept { notify({ready, std::move(error)}); }
  // Ends the registration of a lasting event.
  void let_go() noexcept {
    if (handle_) std::exchange(handle_, nullptr)->remove(*this);
  }
  // Of all events on the descriptor, not only this one.
  void give_up_descriptor() noexcept;
  // The reactor goes: starting is an error from now on. Whoever has a handle is told once more, when that is closed.
  void on_reactor_gone() noexcept { reactor_ = nullptr; }
  // The reactor is gone: stopping does nothing any more.
  void forget_reactor() noexcept {
    forget_liveness();
    handle_ = nullptr;
    reactor_ = nullptr;
  }

 protected:
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  UvReactor* reactor_;
  UvPollHandle* handle_ = nullptr;
  int fd_;
  unsigned bits_;
  Stay stay_;
};

// An event of its own, which nobody else tells that the reactor goes.
class UvLonePoll final : public UvPoll {
 public:
  UvLonePoll(UvReactor& reactor, int fd, unsigned bits) noexcept : UvPoll(reactor, fd, bits), guest_(reactor, *this) {}

 private:
  UvGuest<UvPoll> guest_;
};

}  // namespace trueasync::detail
