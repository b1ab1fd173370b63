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

[[noreturn]] void throw_not_simulated(const char* what) {
  throw Error(std::string(what) + " needs the real event loop: the simulated one has none");
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
    poll(std::min(bound, deadlines_.next()));
  }
  if (deadlines_.size() != 0) deadlines_.expire(now());
}

void Reactor::notify_closed() noexcept {
  while (ReactorObserver* guest = guests_.pop_front()) guest->on_reactor_closed();
}

}  // namespace trueasync::detail
