#include "reactor/reactor.hpp"

#include <algorithm>

#include "reactor/descriptor_registration.hpp"
#include "reactor/fs_watch_event.hpp"
#include "reactor/lookup_event.hpp"
#include "reactor/process_event.hpp"
#include "reactor/work_event.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

[[noreturn]] void throw_not_simulated(const char* operation) {
  throw Error(std::string(operation) + " is not supported by the simulated event loop");
}

}  // namespace

Ref<DescriptorRegistration> Reactor::new_registration(int, PollMode) { throw_not_simulated("I/O on a descriptor"); }
Ref<LookupEvent> Reactor::new_lookup(LookupQuery) { throw_not_simulated("a name lookup"); }
Ref<ProcessEvent> Reactor::new_process(int) { throw_not_simulated("waiting for a process"); }
Ref<FsWatchEvent> Reactor::new_fs_watch(std::string) { throw_not_simulated("watching the file system"); }
void Reactor::submit(WorkEvent&) { throw_not_simulated("work on a thread"); }

void Reactor::run_once(bool no_wait, TimePoint bound) noexcept {
  if (no_wait) {
    ++counters_.polls_without_wait;
    poll(TimePoint::min());
  } else {
    ++counters_.polls_blocking;
    poll(std::min(bound, timers_.next()));
  }
  if (timers_.size() != 0) timers_.expire(now());
}

void Reactor::notify_closed() noexcept {
  while (ReactorObserver* observer = observers_.pop_front()) observer->on_reactor_closed();
}

}  // namespace trueasync::detail
