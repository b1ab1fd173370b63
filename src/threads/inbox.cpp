#include "threads/inbox.hpp"

#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/remote_call.hpp"

namespace trueasync::detail {

namespace {

// Those of this thread's runtimes: one, unless a runtime was left for another.
thread_local InboxReceiver* ports = nullptr;

}  // namespace

void Inbox::post(std::shared_ptr<InboxMessage> parcel) {
  const std::lock_guard lock(mutex_);
  if (!trigger_) return;
  arrived_.push_back(std::move(parcel));
  if (arrived_.size() == 1) trigger_->fire();
}

std::vector<std::shared_ptr<InboxMessage>> Inbox::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(arrived_, {});
}

void Inbox::close() noexcept {
  std::vector<std::shared_ptr<InboxMessage>> dropped;  // their destructors are the program's: not under the lock
  const std::lock_guard lock(mutex_);
  trigger_ = nullptr;
  dropped.swap(arrived_);
}

InboxReceiver& InboxReceiver::of(Reactor& reactor) {
  for (InboxReceiver* port = ports; port; port = port->next_) {
    if (&port->reactor_ == &reactor) return *port;
  }
  return *new InboxReceiver(reactor);
}

InboxReceiver::InboxReceiver(Reactor& reactor)
    : trigger_(reactor.new_trigger()),
      inbox_(std::make_shared<Inbox>(*trigger_)),
      reactor_(reactor),
      next_(std::exchange(ports, this)) {
  reactor.observers().push_back(*this);
  persistent = true;
  callback = [](Subscription& self, const Notification&) noexcept {
    for (auto& parcel : static_cast<InboxReceiver&>(self).inbox_->take()) parcel->deliver();
  };
  trigger_->subscribe(*this);
}

InboxReceiver::~InboxReceiver() {
  InboxReceiver** location = &ports;
  while (*location && *location != this) location = &(*location)->next_;
  if (*location) *location = next_;
}

void InboxReceiver::add(RemoteEvent& remote) noexcept {
  remote.retain();
  pending_.push_back(remote);
}

void InboxReceiver::on_reactor_closed() noexcept {
  inbox_->close();
  trigger_->unsubscribe(*this);
  while (RemoteEvent* remote = pending_.pop_front()) {
    remote->on_receiver_closed();
    remote->release();
  }
  delete this;
}

bool RemoteEvent::replay(Notification& result) const noexcept {
  if (!done_) return false;
  result = {0, error_};
  return true;
}

std::exception_ptr RemoteEvent::on_start() noexcept {
  if (!port_) return std::make_exception_ptr(MisuseError("the runtime was destroyed: " + describe()));
  if (auto error = port_->trigger().start()) return error;
  started_trigger_ = true;
  return nullptr;
}

void RemoteEvent::on_stop() noexcept { release_trigger(); }

void RemoteEvent::release_trigger() noexcept {
  if (std::exchange(started_trigger_, false) && port_) port_->trigger().stop();
}

void RemoteEvent::settle(std::exception_ptr error) noexcept {
  if (done_ || !port_) return;
  done_ = true;
  error_ = std::move(error);
  ListHook::unlink();
  notify({0, error_});
  release_trigger();
  port_ = nullptr;
  release();
}

void RemoteEvent::settle_cancelled() noexcept {
  if (done_ || !port_) return;
  cancelled_ = observed_ = true;
  settle(std::make_exception_ptr(Cancelled(describe() + " was cancelled")));
}

void RemoteEvent::on_receiver_closed() noexcept {
  release_trigger();
  port_ = nullptr;
}

void RemoteEvent::dispose() noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (error_ && !observed_ && scheduler) {
    observed_ = true;
    ControlBlock* running = scheduler->running();
    scheduler->report_unhandled(running && running->ops ? *running : *scheduler->main(), error_, describe().c_str());
  }
  Event::dispose();
}

RemoteCall::~RemoteCall() = default;

void RemoteCall::run() noexcept {
  try {
    invoke();
  } catch (...) {
    error_ = std::current_exception();
  }
  drop_function();
}

void join_remote(Event& remote, WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("await");
  Ref<Event> hold(&remote);  // whoever has the handle may let it go meanwhile
  wait_for_event(scheduler, remote, options, location);
}

bool is_remote_done(const Event& remote) noexcept { return static_cast<const RemoteEvent&>(remote).is_done(); }
bool is_remote_cancelled(const Event& remote) noexcept {
  return static_cast<const RemoteEvent&>(remote).is_cancelled();
}

}  // namespace trueasync::detail
