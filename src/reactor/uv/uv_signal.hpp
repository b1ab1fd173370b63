// Unix signals. All events of one signal number share one uv_signal_t, which exists while one of them is started. When
// the last handle of the process for a number closes, the program's previous disposition is restored.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class UvSignal;

class UvSignalHandle final : public UvHandleOwner {
 public:
  static UvSignalHandle* find_or_create(EpollReactor& reactor, int number, int& code);

  void add(UvSignal& event) noexcept { events_.push_back(event); }
  void remove(UvSignal& event) noexcept;
  std::string close_and_describe() noexcept override;

 private:
  UvSignalHandle(EpollReactor& reactor, int number) noexcept : reactor_(reactor), number_(number) {}
  int listen() noexcept;
  void on_signal() noexcept;
  void close_handle() noexcept;

  EpollReactor& reactor_;
  int number_;
  bool dispatching_ = false;
  uv_signal_t* handle_ = nullptr;
  IntrusiveList<UvSignal> events_;
};

class UvSignal final : public Event, public ListHook {
 public:
  UvSignal(EpollReactor& reactor, int number) noexcept
      : Event(&reactor.liveness()), reactor_(&reactor), number_(number), observer_(reactor, *this) {}

  std::string describe() const override { return "signal " + std::to_string(number_); }
  void notify_signal() noexcept { notify({static_cast<std::uintptr_t>(number_), nullptr}); }
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
  UvSignalHandle* handle_ = nullptr;
  int number_;
  ReactorObserverLink<UvSignal> observer_;
};

}  // namespace trueasync::detail
