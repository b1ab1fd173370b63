// WaitQueue: waiters that never run again must not stay in the queue of a mutex or semaphore.
#include <gtest/gtest.h>

#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/scope/context.hpp"
#include "trueasync/sync/mutex.hpp"
#include "trueasync/sync/semaphore.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class WaitQueueTest : public test::ReactorTest {};

// CA-01 R1
TEST_P(WaitQueueTest, InterruptedWaitWithTimeoutIsNotQueued) {
  run([&] {
    Semaphore semaphore(0);
    auto cancelled_task = spawn([&] {
      current_coroutine().cancel();
      for (int i = 0; i < 1002; ++i) {  // enough interrupted waits to force a yield
        try {
          semaphore.acquire(1h);
        } catch (const Cancelled&) {
        }
      }
    });
    yield();
    EXPECT_FALSE(cancelled_task.is_finished());
    semaphore.release();
    EXPECT_EQ(semaphore.available(), 1u);
    semaphore.acquire();
    await(cancelled_task);
  });
}

// Waits while the stack unwinds: forced shutdown must abandon such a wait.
struct LockInDestructor {
  Mutex& mutex;
  ~LockInDestructor() { mutex.lock(); }
};

// R1 SHU-02
TEST_P(WaitQueueTest, AbandonedCoroutineIsNotQueued) {
  const test::ScopedLeakCheckDisable no_leak_check;
  Mutex mutex;
  Semaphore never(0);
  auto runtime = test::make_runtime(GetParam());
  const auto body = [&] {
    mutex.lock();
    spawn([&] {
      LockInDestructor lock{mutex};
      delay(1h);
    });
    yield();
    shut_down();
    struct Unlock {
      Mutex& mutex;
      Semaphore& never;
      ~Unlock() {
        EXPECT_THROW(never.acquire(), Cancelled);  // forced shutdown: other waiting coroutines are abandoned
        mutex.unlock();
      }
    } unlock{mutex, never};
    yield();
  };
  EXPECT_THROW(runtime->run(body), Cancelled);
  EXPECT_FALSE(mutex.is_locked());
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

TEST_P(WaitQueueTest, MutexCanBeLockedDuringRuntimeDestruction) {
  struct Locks {
    explicit Locks(Mutex& target) : mutex(target) {}
    ~Locks() { std::lock_guard guard(mutex); }
    Mutex& mutex;
  };
  Mutex mutex;
  run([&] {
    static const ContextKey<std::shared_ptr<Locks>> kKey{"locks"};
    coroutine_context().set(kKey, std::make_shared<Locks>(mutex));
  });
  EXPECT_FALSE(mutex.is_locked());
}

// DLK-01
TEST_P(WaitQueueTest, FinishedHolderIsNotMistakenForItsSuccessor) {
  run([&] {
    Mutex mutex;
    await(spawn([&] { mutex.lock(); }));
    auto later = spawn({.name = "later"}, [&] { mutex.lock(); });  // reuses the control block of the finished holder
    try {
      await(later);
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      EXPECT_EQ(std::string(error.what()).find("wait cycle"), std::string::npos) << error.what();
    }
    mutex.unlock();
    await(later);
    mutex.unlock();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(WaitQueueTest);

}  // namespace
}  // namespace trueasync
