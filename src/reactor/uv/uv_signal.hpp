// Unix signals. One uv_signal_t per number however many wait (REA-03); it exists while one of them is started. When the
// last one of the process goes, what the program had installed for that number before is put back.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

class UvSignal;

class UvSignalHandle final : public UvHandleOwner {
 public:
  static UvSignalHandle* find_or_make(EpollReactor& reactor, int number, int& code);

  void add(UvSignal& event) noexcept { events_.push_back(event); }
  void remove(UvSignal& event) noexcept;
  std::string close_and_describe() noexcept override;

 private:
  UvSignalHandle(EpollReactor& reactor, int number) noexcept : reactor_(reactor), number_(number) {}
  int listen() noexcept;
  void on_signal() noexcept;
  void retire() noexcept;

  EpollReactor& reactor_;
  int number_;
  bool dispatching_ = false;
  uv_signal_t* handle_ = nullptr;
  IntrusiveList<UvSignal> events_;
};

class UvSignal final : public Event, public ListHook {
 public:
  UvSignal(EpollReactor& reactor, int number) noexcept
      : Event(&reactor.liveness()), reactor_(&reactor), number_(number), guest_(reactor, *this) {}

  std::string describe() const override { return "signal " + std::to_string(number_); }
  void notify_signal() noexcept { notify({static_cast<std::uintptr_t>(number_), nullptr}); }
  // The reactor goes: starting is an error from now on. Whoever has a handle is told once more, when that is closed.
  void on_reactor_closed() noexcept { reactor_ = nullptr; }
  // The reactor is gone: stopping does nothing any more.
  void forget_reactor() noexcept {
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
  ReactorObserverLink<UvSignal> guest_;
};

}  // namespace trueasync::detail
