// The events of the simulated reactor. An event is in its reactor's list while it is started; a trigger always is.
// close() detaches the listed events, so they may outlive the reactor.
#pragma once

#include <algorithm>

#include "reactor/sim/sim_reactor.hpp"
#include "reactor/work_event.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

inline std::exception_ptr make_closed_error(const std::string& event) {
  return std::make_exception_ptr(MisuseError("wait for " + event + ": the runtime was destroyed"));
}

class SimPoll final : public Event {
 public:
  SimPoll(SimReactor& reactor, int fd, unsigned bits)
      : Event(&reactor.liveness()), reactor_(&reactor), fd_(fd), bits_(bits) {}
  std::string describe() const override { return "simulated descriptor " + std::to_string(fd_); }

  bool deliver_if_ready(unsigned ready) noexcept {
    const unsigned matching = ready & (bits_ | kPollError);
    if (matching) notify({matching, nullptr});
    return matching != 0;
  }
  void detach_reactor() noexcept {
    detach_liveness();
    reactor_ = nullptr;
  }
  int fd() const noexcept { return fd_; }

 protected:
  std::exception_ptr on_start() noexcept override {
    if (!reactor_) return make_closed_error(describe());
    reactor_->polls_.push_back(this);
    return nullptr;
  }
  void on_stop() noexcept override {
    if (reactor_) std::erase(reactor_->polls_, this);
  }

 private:
  SimReactor* reactor_;
  int fd_;
  unsigned bits_;
};

class SimSignal final : public Event {
 public:
  SimSignal(SimReactor& reactor, int number) : Event(&reactor.liveness()), reactor_(&reactor), number_(number) {}
  std::string describe() const override { return "signal " + std::to_string(number_); }
  bool deliver(int number) noexcept {
    if (number == number_) notify({static_cast<std::uintptr_t>(number), nullptr});
    return number == number_;
  }
  void detach_reactor() noexcept {
    detach_liveness();
    reactor_ = nullptr;
  }

 protected:
  std::exception_ptr on_start() noexcept override {
    if (!reactor_) return make_closed_error(describe());
    reactor_->signals_.push_back(this);
    return nullptr;
  }
  void on_stop() noexcept override {
    if (reactor_) std::erase(reactor_->signals_, this);
  }

 private:
  SimReactor* reactor_;
  int number_;
};

class SimTrigger final : public TriggerEvent {
 public:
  explicit SimTrigger(SimReactor& reactor) : TriggerEvent(&reactor.liveness()), reactor_(&reactor) {
    reactor_->triggers_.push_back(this);
  }
  void fire() noexcept override { fired_.store(true); }
  bool replay(Notification& result) const noexcept override {
    result = {1, nullptr};
    return fired_.exchange(false);
  }
  // A waiter was cancelled before it saw the fire: the fire stays pending for the next waiter.
  bool reclaim(Subscription&) noexcept override {
    fire();
    return true;
  }
  std::string describe() const override { return "trigger"; }
  bool deliver() noexcept {
    if (!has_subscribers() || !fired_.exchange(false)) return false;
    notify({1, nullptr});
    return true;
  }
  void detach_reactor() noexcept {
    detach_liveness();
    reactor_ = nullptr;
  }

 protected:
  std::exception_ptr on_start() noexcept override { return reactor_ ? nullptr : make_closed_error(describe()); }
  ~SimTrigger() override {
    if (reactor_) std::erase(reactor_->triggers_, this);
  }

 private:
  SimReactor* reactor_;
  mutable std::atomic<bool> fired_{false};
};

class SimWork final : public WorkRunner {
 public:
  explicit SimWork(WorkEvent& work) noexcept : work_(work) { work.begin(*this); }
  void cancel_if_queued() noexcept override { cancelled_ = work_.is_cancellable(); }
  void run() noexcept {
    if (!cancelled_) work_.run();
    work_.finish(cancelled_);
  }

 private:
  WorkEvent& work_;
  bool cancelled_ = false;
};

}  // namespace trueasync::detail
