// Inbox: the queue of messages from other threads to a runtime. A runtime has one inbox with one trigger. The trigger
// is fired once for all messages that the runtime has not taken yet.
//
// Ownership: shared by the runtime and every thread that may post.
// Lifetime: the runtime closes its inbox when it ends. A closed inbox drops messages. The trigger is used only under
// the lock, because it does not outlive the runtime.
// Thread safety: post() on any thread, everything else on the runtime's thread.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

// InboxMessage: the result of work on another thread.
class InboxMessage {
 public:
  virtual ~InboxMessage() = default;
  // Runs on the runtime's thread.
  virtual void deliver() noexcept = 0;
};

class Inbox {
 public:
  explicit Inbox(TriggerEvent& trigger) noexcept : trigger_(&trigger) {}
  void post(std::shared_ptr<InboxMessage> message);
  // Removes and returns all messages.
  std::vector<std::shared_ptr<InboxMessage>> take();
  void close() noexcept;

 private:
  std::mutex mutex_;
  TriggerEvent* trigger_;  // null: closed
  std::vector<std::shared_ptr<InboxMessage>> messages_;
};

class RemoteEvent;

// InboxReceiver: the runtime's end of its inbox. Delivers the messages and holds a reference to every RemoteEvent that
// is not settled.
//
// Ownership: owns itself; destroyed when the reactor is closed.
class InboxReceiver final : public ReactorObserver, private Subscription {
 public:
  // The receiver of this thread's runtime, created if necessary.
  static InboxReceiver& of(Reactor& reactor);

  const std::shared_ptr<Inbox>& inbox() const noexcept { return inbox_; }
  TriggerEvent& trigger() noexcept { return *trigger_; }
  void add(RemoteEvent& remote) noexcept;
  void on_reactor_closed() noexcept override;

 private:
  explicit InboxReceiver(Reactor& reactor);
  ~InboxReceiver();

  Ref<TriggerEvent> trigger_;
  std::shared_ptr<Inbox> inbox_;
  Reactor& reactor_;
  IntrusiveList<RemoteEvent> pending_;
  InboxReceiver* next_;  // in the thread's list of receivers
};

// RemoteEvent: work on another thread as an event of this thread's runtime. It is a foreground event only while it has
// waiters.
//
// Lifetime: the receiver holds a reference until the event is settled or the runtime ends.
class RemoteEvent : public Event, public ListHook {
 public:
  bool is_done() const noexcept { return done_; }
  bool is_cancelled() const noexcept { return cancelled_; }
  bool replay(Notification& result) const noexcept override;
  void mark_error_observed() noexcept override { observed_ = true; }

  // Called once on the runtime's thread, by the event's message or by cancellation. Drops the receiver's reference.
  void settle(std::exception_ptr error) noexcept;
  void settle_cancelled() noexcept;
  // The runtime ends before the event is settled.
  void on_receiver_closed() noexcept;

 protected:
  explicit RemoteEvent(InboxReceiver& receiver) noexcept : receiver_(&receiver) { receiver.add(*this); }
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;
  void dispose() noexcept override;

 private:
  void release_trigger() noexcept;

  InboxReceiver* receiver_;  // null: settled, or the runtime has ended
  std::exception_ptr error_;
  bool started_trigger_ = false;
  bool done_ = false;
  bool cancelled_ = false;
  bool observed_ = false;
};

}  // namespace trueasync::detail
