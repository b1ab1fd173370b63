// Inbox: where other threads leave what they have done for a runtime. One per runtime, and one trigger; a batch of
// parcels is one fire.
//
// Threads: post() from anywhere, everything else on the runtime's. Lifetime: shared by all who may post; the runtime
// closes it when it goes, and what is posted later is dropped (SH-09): the trigger is touched under the lock only.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class InboxMessage {
 public:
  virtual ~InboxMessage() = default;
  // On the runtime's thread.
  virtual void deliver() noexcept = 0;
};

class Inbox {
 public:
  explicit Inbox(TriggerEvent& trigger) noexcept : trigger_(&trigger) {}
  void post(std::shared_ptr<InboxMessage> parcel);
  std::vector<std::shared_ptr<InboxMessage>> take();
  void close() noexcept;

 private:
  std::mutex mutex_;
  TriggerEvent* trigger_;  // null: closed
  std::vector<std::shared_ptr<InboxMessage>> arrived_;
};

class RemoteEvent;

// The runtime's side of its inbox.
class InboxReceiver final : public ReactorObserver, private Subscription {
 public:
  // This thread's runtime's.
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
  InboxReceiver* next_;
};

// Something that happens on another thread, as this side sees it. Counts for liveness only while somebody waits (SH-10),
// and is held until its parcel has come or the runtime goes.
class RemoteEvent : public Event, public ListHook {
 public:
  bool is_done() const noexcept { return done_; }
  bool is_cancelled() const noexcept { return cancelled_; }
  bool replay(Notification& result) const noexcept override;
  void mark_error_observed() noexcept override { observed_ = true; }

  // Its parcel has come, or it was cancelled: once, on the runtime's thread. The port's reference goes.
  void settle(std::exception_ptr error) noexcept;
  void settle_cancelled() noexcept;
  // The runtime goes first.
  void on_receiver_closed() noexcept;

 protected:
  explicit RemoteEvent(InboxReceiver& port) noexcept : port_(&port) { port.add(*this); }
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;
  void dispose() noexcept override;

 private:
  void release_trigger() noexcept;

  InboxReceiver* port_;  // null: it has settled, or the runtime has gone
  std::exception_ptr error_;
  bool started_trigger_ = false;
  bool done_ = false;
  bool cancelled_ = false;
  bool observed_ = false;
};

}  // namespace trueasync::detail
