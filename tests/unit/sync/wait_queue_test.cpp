// Those who stand in the queue of a mutex or semaphore although they will never be there: refused, given up, gone.
#include <gtest/gtest.h>

#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/context.hpp"
#include "trueasync/mutex.hpp"
#include "trueasync/semaphore.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class WaitQueueTest : public test::ReactorTest {};

TEST_P(WaitQueueTest, ARefusedWaitWithALimitStandsInNoQueue) {
  // CA-01 R1
  run([&] {
    Semaphore semaphore(0);
    auto stubborn = spawn([&] {
      current_coroutine().cancel();
      for (int i = 0; i < 1002; ++i) {  // so often that it has to give way before it is refused
        try {
          semaphore.acquire(1h);
        } catch (const Cancelled&) {
        }
      }
    });
    yield();
    EXPECT_FALSE(stubborn.is_finished());
    semaphore.release();
    EXPECT_EQ(semaphore.available(), 1u);
    semaphore.acquire();
    await(stubborn);
  });
}

// Waits where nothing can take it back: while the stack unwinds.
struct LocksAtTheEnd {
  Mutex& mutex;
  ~LocksAtTheEnd() { mutex.lock(); }
};

TEST_P(WaitQueueTest, OneThatWasGivenUpStandsInNoQueue) {
  // R1 SHU-02
  const test::ScopedLeakCheckDisable forgiven;
  Mutex mutex;
  Semaphore never(0);
  auto runtime = test::make_runtime(GetParam());
  const auto body = [&] {
    mutex.lock();
    spawn([&] {
      LocksAtTheEnd at_the_end{mutex};
      delay(1h);
    });
    yield();
    shut_down();
    struct Unlock {
      Mutex& mutex;
      Semaphore& never;
      ~Unlock() {
        EXPECT_THROW(never.acquire(), Cancelled);  // forced: whoever waits meanwhile is given up
        mutex.unlock();
      }
    } unlock{mutex, never};
    yield();
  };
  EXPECT_THROW(runtime->run(body), Cancelled);
  EXPECT_FALSE(mutex.is_locked());
  EXPECT_EQ(runtime->leak_report().coroutines, 1u);
}

TEST_P(WaitQueueTest, AMutexCanBeLockedByWhatGoesWithTheRuntime) {
  struct Locks {
    explicit Locks(Mutex& what) : mutex(what) {}
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

TEST_P(WaitQueueTest, AHolderIsNotTakenForOneThatCameLater) {
  // DLK-01
  run([&] {
    Mutex mutex;
    await(spawn([&] { mutex.lock(); }));
    auto later = spawn({.name = "later"}, [&] { mutex.lock(); });  // in the record of the one that has ended
    try {
      await(later);
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      EXPECT_EQ(std::string(error.what()).find("ring"), std::string::npos) << error.what();
    }
    mutex.unlock();
    await(later);
    mutex.unlock();
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(WaitQueueTest);

}  // namespace
}  // namespace trueasync
