// File locks, which retry on a descriptor number.
#include <sys/file.h>

#include <functional>
#include <thread>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

class BlockingLock : public Blocking {};

// An unlinked file, opened twice.
SocketPair open_file_twice() {
  char name[] = "/tmp/trueasync-lock-XXXXXX";
  const int first = ::mkostemp(name, O_CLOEXEC);
  const int second = ::open(name, O_RDWR | O_CLOEXEC);
  ::unlink(name);
  return {first, second};
}

void lock_all(int fd) {
  struct flock range = {};
  range.l_type = F_WRLCK;
  EXPECT_EQ(::fcntl(fd, F_OFD_SETLK, &range), 0);
  EXPECT_EQ(::flock(fd, LOCK_EX), 0);
}

int lock_record(int fd) {
  struct flock range = {};
  range.l_type = F_WRLCK;
  return c_fcntl(fd, F_OFD_SETLKW, &range);
}

// Whether the file is not locked through another open file description.
bool is_unlocked(int fd) {
  struct flock range = {};
  range.l_type = F_WRLCK;
  return ::fcntl(fd, F_OFD_GETLK, &range) == 0 && range.l_type == F_UNLCK && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
}

void expect_reused_number_untouched(const std::function<int(int)>& lock, const std::function<void(int)>& close) {
  SocketPair file = open_file_twice();
  lock_all(file[0]);
  const SocketPair other = open_file_twice();
  auto waiter = spawn([&] { return outcome(lock(file[1])); });
  yield_until_suspended(waiter.coroutine());
  const int number = file[1];
  close(number);
  ASSERT_EQ(::dup3(other[0], number, O_CLOEXEC), number);
  file.close(0);
  EXPECT_EQ(await(waiter), "-1 EBADF");
  EXPECT_TRUE(is_unlocked(other[1]));
}

TEST_F(BlockingLock, ReusedNumberIsNotLocked) {
  run([&] {
    for (const auto lock :
         {+[](int fd) { return c_flock(fd, LOCK_EX); }, &lock_record, +[](int fd) { return c_lockf(fd, F_LOCK, 0); }}) {
      expect_reused_number_untouched(lock, [](int fd) { c_close(fd); });
    }
  });
}

TEST_F(BlockingLock, ReopenedFileUnderSameNumberFailsWithEbadf) {
  run([&] {
    SocketPair file = open_file_twice();
    lock_all(file[0]);
    const std::string path = "/proc/self/fd/" + std::to_string(file[0]);
    auto waiter = spawn([&] { return outcome(c_flock(file[1], LOCK_EX)); });
    yield_until_suspended(waiter.coroutine());
    const int reopened = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    c_dup2(reopened, file[1]);
    ::close(reopened);
    file.close(0);
    EXPECT_EQ(await(waiter), "-1 EBADF");
  });
}

TEST_F(BlockingLock, InterruptWaitersEndsLockWait) {
  run([&] {
    SocketPair file = open_file_twice();
    lock_all(file[0]);
    auto waiter = spawn([&] { return outcome(c_flock(file[1], LOCK_EX)); });
    yield_until_suspended(waiter.coroutine());
    EXPECT_FALSE(blocking::interrupt_waiters(file[0]));
    EXPECT_TRUE(blocking::interrupt_waiters(file[1]));
    EXPECT_FALSE(blocking::interrupt_waiters(file[1]));
    yield();
    EXPECT_TRUE(waiter.coroutine().is_finished());
    EXPECT_EQ(await(waiter), "-1 EBADF");
  });
}

TEST_F(BlockingLock, UnrelatedClosesDoNotInterruptWait) {
  run([&] {
    SocketPair file = open_file_twice();
    lock_all(file[0]);
    auto waiter = spawn([&] { return outcome(c_flock(file[1], LOCK_EX)); });
    yield_until_suspended(waiter.coroutine());
    std::thread([] { c_close(::dup(1)); }).join();
    c_close(::dup(1));
    ::flock(file[0], LOCK_UN);
    EXPECT_EQ(await(waiter), "0");
  });
}

}  // namespace
}  // namespace trueasync::test
