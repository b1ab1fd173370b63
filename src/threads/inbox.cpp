#include "threads/inbox.hpp"

#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/remote_call.hpp"

namespace trueasync::detail {

namespace {

// The receivers of this thread's runtimes. There may be several runtimes; at most one of them is running.
thread_local InboxReceiver* receivers = nullptr;

}  // namespace

void Inbox::post(std::shared_ptr<InboxMessage> message) {
  const std::lock_guard lock(mutex_);
  if (!trigger_) return;
  messages_.push_back(std::move(message));
  if (messages_.size() == 1) trigger_->fire();
}

std::vector<std::shared_ptr<InboxMessage>> Inbox::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

void Inbox::close() noexcept {
  // Destroyed after the lock is released: destructors are user code.
  std::vector<std::shared_ptr<InboxMessage>> dropped;
  const std::lock_guard lock(mutex_);
  trigger_ = nullptr;
  dropped.swap(messages_);
}

InboxReceiver& InboxReceiver::of(Reactor& reactor) {
  for (InboxReceiver* receiver = receivers; receiver; receiver = receiver->next_) {
    if (&receiver->reactor_ == &reactor) return *receiver;
  }
  return *new InboxReceiver(reactor);
}

InboxReceiver::InboxReceiver(Reactor& reactor)
    : trigger_(reactor.new_trigger()),
      inbox_(std::make_shared<Inbox>(*trigger_)),
      reactor_(reactor),
      next_(std::exchange(receivers, this)) {
  reactor.observers().push_back(*this);
  persistent = true;
  callback = [](Subscription& self, const Notification&) noexcept {
    for (auto& message : static_cast<InboxReceiver&>(self).inbox_->take()) message->deliver();
  };
  trigger_->subscribe(*this);
}

InboxReceiver::~InboxReceiver() {
  InboxReceiver** link = &receivers;
  while (*link && *link != this) link = &(*link)->next_;
  if (*link) *link = next_;
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
  if (!receiver_) return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
  if (auto error = receiver_->trigger().start()) return error;
  started_trigger_ = true;
  return nullptr;
}

void RemoteEvent::on_stop() noexcept { release_trigger(); }

void RemoteEvent::release_trigger() noexcept {
  if (std::exchange(started_trigger_, false) && receiver_) receiver_->trigger().stop();
}

void RemoteEvent::settle(std::exception_ptr error) noexcept {
  if (done_ || !receiver_) return;
  done_ = true;
  error_ = std::move(error);
  ListHook::unlink();
  notify({0, error_});
  release_trigger();
  receiver_ = nullptr;
  release();
}

void RemoteEvent::settle_cancelled() noexcept {
  if (done_ || !receiver_) return;
  cancelled_ = observed_ = true;
  settle(std::make_exception_ptr(Cancelled(describe() + " was cancelled")));
}

void RemoteEvent::on_receiver_closed() noexcept {
  release_trigger();
  receiver_ = nullptr;
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
  Ref<Event> keep_alive(&remote);  // another coroutine may destroy the last handle during the wait
  wait_for_event(scheduler, remote, options, location);
}

bool is_remote_done(const Event& remote) noexcept { return static_cast<const RemoteEvent&>(remote).is_done(); }
bool is_remote_cancelled(const Event& remote) noexcept {
  return static_cast<const RemoteEvent&>(remote).is_cancelled();
}

}  // namespace trueasync::detail
