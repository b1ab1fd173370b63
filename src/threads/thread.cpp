#include "trueasync/thread.hpp"

#include <system_error>
#include <thread>

#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "threads/inbox.hpp"

namespace trueasync::detail {

namespace {

class ThreadEvent final : public RemoteEvent {
 public:
  ThreadEvent(InboxReceiver& port, SourceLocation location) noexcept : RemoteEvent(port), location_(location) {}
  std::string describe() const override { return "a thread started at " + format_location(location_); }

 private:
  SourceLocation location_;
};

// What the thread brings back. The event is held by the runtime until then.
class ThreadExitMessage final : public InboxMessage {
 public:
  ThreadExitMessage(ThreadEvent& event, std::shared_ptr<RemoteCall> call) noexcept
      : event_(event), call_(std::move(call)) {}
  void deliver() noexcept override { event_.settle(call_->error()); }

 private:
  ThreadEvent& event_;
  std::shared_ptr<RemoteCall> call_;
};

}  // namespace

Ref<Event> start_thread(std::shared_ptr<RemoteCall> call, SourceLocation location) {
  InboxReceiver& port = InboxReceiver::of(require_scheduler("Thread").reactor());
  Ref<ThreadEvent> event = Ref<ThreadEvent>::adopt(new ThreadEvent(port, location));
  auto end = std::make_shared<ThreadExitMessage>(*event, call);
  try {
    // Nobody joins it: it leaves its end in the inbox, and its stack goes with it (TH-07).
    std::thread([inbox = port.inbox(), call = std::move(call), end = std::move(end)]() mutable {
      call->run();
      inbox->post(std::move(end));
    }).detach();
  } catch (const std::system_error& error) {
    event->settle_cancelled();
    throw Error(std::string("can't start a thread: ") + error.what());
  }
  return event;
}

}  // namespace trueasync::detail
