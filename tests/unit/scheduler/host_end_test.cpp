// A host at the end: its engine dies while main drains, or it goes on after a shutdown.
#include <gtest/gtest.h>

#include "scheduler/scheduler.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

TEST(DeadHost, DrainingMainReturnsToo) {
  Runtime runtime;
  runtime.attach();
  detail::Scheduler& scheduler = detail::Access::scheduler(runtime);
  spawn([] { delay(std::chrono::hours(1)); });
  spawn([] { detail::Scheduler::current()->abandon_to_main(); });
  scheduler.drain(SourceLocation::current());
  scheduler.abandon_others();
  runtime.detach();
}

TEST(HostShutdown, MainGoesOnAsIfThereHadBeenNone) {
  Runtime runtime;
  runtime.attach();
  detail::Scheduler& scheduler = detail::Access::scheduler(runtime);
  bool cleaned = false;
  spawn([&] {
    try {
      delay(std::chrono::hours(1));
    } catch (const Cancelled&) {
      cleaned = true;
      throw;
    }
  });
  yield();
  runtime.shut_down();
  scheduler.drain(SourceLocation::current());
  EXPECT_TRUE(cleaned);
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
