#include "trueasync/threads/thread.hpp"

#include <system_error>
#include <thread>

#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "threads/inbox.hpp"

namespace trueasync::detail {

namespace {

class ThreadEvent final : public RemoteEvent {
 public:
  ThreadEvent(InboxReceiver& receiver, SourceLocation location) noexcept : RemoteEvent(receiver), location_(location) {}
  std::string describe() const override { return "a thread started at " + format_location(location_); }

 private:
  SourceLocation location_;
};

// Settles the event of a thread. The receiver holds the event until then.
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
  InboxReceiver& receiver = InboxReceiver::of(require_scheduler("Thread").reactor());
  Ref<ThreadEvent> event = Ref<ThreadEvent>::adopt(new ThreadEvent(receiver, location));
  auto message = std::make_shared<ThreadExitMessage>(*event, call);
  try {
    // Detached, because the thread may outlive the runtime. The message takes the place of join().
    std::thread([inbox = receiver.inbox(), call = std::move(call), message = std::move(message)]() mutable {
      call->run();
      inbox->post(std::move(message));
    }).detach();
  } catch (const std::system_error& error) {
    event->settle_cancelled();
    throw Error(std::string("Thread: cannot create a thread: ") + error.what());
  }
  return event;
}

}  // namespace trueasync::detail
