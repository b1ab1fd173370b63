#include "trueasync/thread.hpp"

#include <system_error>
#include <thread>

#include "scheduler/face.hpp"
#include "scheduler/report.hpp"
#include "threads/inbox.hpp"

namespace trueasync::detail {

namespace {

class ThreadEvent final : public RemoteEvent {
 public:
  ThreadEvent(InboxPort& port, Place place) noexcept : RemoteEvent(port), place_(place) {}
  std::string describe() const override { return "a thread started at " + place_text(place_); }

 private:
  Place place_;
};

// What the thread brings back. The event is held by the runtime until then.
class ThreadEnd final : public Parcel {
 public:
  ThreadEnd(ThreadEvent& event, std::shared_ptr<RemoteCall> call) noexcept : event_(event), call_(std::move(call)) {}
  void arrive() noexcept override { event_.settle(call_->error()); }

 private:
  ThreadEvent& event_;
  std::shared_ptr<RemoteCall> call_;
};

}  // namespace

Ref<Event> start_thread(std::shared_ptr<RemoteCall> call, Place place) {
  InboxPort& port = InboxPort::of(this_scheduler("Thread").reactor());
  Ref<ThreadEvent> event = Ref<ThreadEvent>::adopt(new ThreadEvent(port, place));
  auto end = std::make_shared<ThreadEnd>(*event, call);
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
