// Descriptor readiness. All events on one descriptor share one uv_poll_t, which listens to the union of what the
// started ones ask for; each is told only what it asked for (REA-03).
#pragma once

#include "reactor/uv/uv_reactor.hpp"

namespace trueasync::detail {

class UvPoll;

// The shared handle; exists while at least one event on the descriptor is started.
class UvPollHandle final : public UvOwner {
 public:
  // Null and an error text code when the descriptor can't be polled (closed, a regular file).
  static UvPollHandle* find_or_make(UvReactor& reactor, int fd, int& code);

  int add(UvPoll& event) noexcept;
  void remove(UvPoll& event) noexcept;
  std::string on_reactor_closed() noexcept override;

 private:
  UvPollHandle(UvReactor& reactor, int fd) noexcept : reactor_(reactor), fd_(fd) {}
  int update() noexcept;
  void on_ready(int status, int events) noexcept;

  UvReactor& reactor_;
  int fd_;
  int listening_ = 0;
  uv_poll_t* handle_ = nullptr;
  IntrusiveList<UvPoll> events_;
};

class UvPoll final : public Event, public ListHook {
 public:
  UvPoll(UvReactor& reactor, int fd, unsigned bits) noexcept
      : Event(&reactor.liveness()), reactor_(&reactor), fd_(fd), bits_(bits) {}

  unsigned bits() const noexcept { return bits_; }
  std::string describe() const override;
  void tell(unsigned ready, std::exception_ptr error) noexcept { notify({ready, std::move(error)}); }
  // The reactor is gone: stopping does nothing any more, starting is an error.
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
};

}  // namespace trueasync::detail
