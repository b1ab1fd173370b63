#include "threads/inbox.hpp"

#include "scheduler/face.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/remote_call.hpp"

namespace trueasync::detail {

namespace {

// Those of this thread's runtimes: one, unless a runtime was left for another.
thread_local InboxPort* ports = nullptr;

}  // namespace

void Inbox::post(std::shared_ptr<Parcel> parcel) {
  const std::lock_guard lock(mutex_);
  if (!trigger_) return;
  arrived_.push_back(std::move(parcel));
  if (arrived_.size() == 1) trigger_->fire();
}

std::vector<std::shared_ptr<Parcel>> Inbox::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(arrived_, {});
}

void Inbox::close() noexcept {
  std::vector<std::shared_ptr<Parcel>> dropped;  // their destructors are the program's: not under the lock
  const std::lock_guard lock(mutex_);
  trigger_ = nullptr;
  dropped.swap(arrived_);
}

InboxPort& InboxPort::of(Reactor& reactor) {
  for (InboxPort* port = ports; port; port = port->next_) {
    if (&port->reactor_ == &reactor) return *port;
  }
  return *new InboxPort(reactor);
}

InboxPort::InboxPort(Reactor& reactor)
    : trigger_(reactor.new_trigger()),
      inbox_(std::make_shared<Inbox>(*trigger_)),
      reactor_(reactor),
      next_(std::exchange(ports, this)) {
  reactor.guests().push_back(*this);
  persistent = true;
  callback = [](Subscription& self, const Notification&) noexcept {
    for (auto& parcel : static_cast<InboxPort&>(self).inbox_->take()) parcel->arrive();
  };
  trigger_->subscribe(*this);
}

InboxPort::~InboxPort() {
  InboxPort** place = &ports;
  while (*place && *place != this) place = &(*place)->next_;
  if (*place) *place = next_;
}

void InboxPort::add(RemoteEvent& remote) noexcept {
  remote.retain();
  pending_.push_back(remote);
}

void InboxPort::on_reactor_gone() noexcept {
  inbox_->close();
  trigger_->unsubscribe(*this);
  while (RemoteEvent* remote = pending_.pop_front()) {
    remote->on_port_gone();
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
  if (!port_) return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
  if (auto error = port_->trigger().start()) return error;
  started_trigger_ = true;
  return nullptr;
}

void RemoteEvent::on_stop() noexcept { let_trigger_go(); }

void RemoteEvent::let_trigger_go() noexcept {
  if (std::exchange(started_trigger_, false) && port_) port_->trigger().stop();
}

void RemoteEvent::settle(std::exception_ptr error) noexcept {
  if (done_ || !port_) return;
  done_ = true;
  error_ = std::move(error);
  ListHook::unlink();
  notify({0, error_});
  let_trigger_go();
  port_ = nullptr;
  release();
}

void RemoteEvent::settle_cancelled() noexcept {
  if (done_ || !port_) return;
  cancelled_ = observed_ = true;
  settle(std::make_exception_ptr(Cancelled(describe() + " was cancelled", nullptr)));
}

void RemoteEvent::on_port_gone() noexcept {
  let_trigger_go();
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

void join_remote(Event& remote, Event* token, Place place) {
  Scheduler& scheduler = this_scheduler("await");
  Ref<Event> hold(&remote);  // whoever has the handle may let it go meanwhile
  WaitEntry entries[2] = {WaitEntry(remote), WaitEntry()};
  if (token) {
    entries[1].event = token;
    entries[1].is_token = true;
  }
  WaitRequest request;
  request.entries = std::span(entries, token ? 2 : 1);
  raise_unless_well(scheduler, scheduler.wait(request, place), &request);
}

bool is_remote_done(const Event& remote) noexcept { return static_cast<const RemoteEvent&>(remote).is_done(); }
bool is_remote_cancelled(const Event& remote) noexcept {
  return static_cast<const RemoteEvent&>(remote).is_cancelled();
}

}  // namespace trueasync::detail
