// Hosts: a fatal error of the host while main drains, and a host that continues after a shutdown.
#include <gtest/gtest.h>

#include "scheduler/scheduler.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

TEST(HostFailure, AbandonToMainEndsDrain) {
  Runtime runtime;
  runtime.attach();
  detail::Scheduler& scheduler = detail::Access::scheduler(runtime);
  spawn([] { delay(std::chrono::hours(1)); });
  spawn([] { detail::Scheduler::current()->abandon_to_main(); });
  scheduler.drain(SourceLocation::current());
  scheduler.abandon_others();
  runtime.detach();
}

TEST(HostShutdown, MainMayContinueAfterReset) {
  Runtime runtime;
  runtime.attach();
  detail::Scheduler& scheduler = detail::Access::scheduler(runtime);
  bool cleaned_up = false;
  spawn([&] {
    try {
      delay(std::chrono::hours(1));
    } catch (const Cancelled&) {
      cleaned_up = true;
      throw;
    }
  });
  yield();
  runtime.shut_down();
  scheduler.drain(SourceLocation::current());
  EXPECT_TRUE(cleaned_up);
  scheduler.reset_after_shutdown();
  EXPECT_FALSE(scheduler.is_shutting_down());
  EXPECT_EQ(await(spawn([] {
              delay(std::chrono::microseconds(10));
              return 7;
            })),
            7);
  runtime.detach();
}

}  // namespace
}  // namespace trueasync
