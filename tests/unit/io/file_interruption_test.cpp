// File operations that are interrupted or outlive their handle.
#include <sys/socket.h>

#include <array>
#include <memory>
#include <vector>

#include "file_fixture.hpp"
#include "reactor/reactor.hpp"
#include "trueasync/io/file.hpp"
#include "trueasync/io/stream.hpp"
#include "trueasync/scope/scope.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class FileInterruptionTest : public FileTest {
 protected:
  static std::array<Io, 2> socket_pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    return {Io::adopt(ends[0], "sender"), Io::adopt(ends[1], "receiver")};
  }
};

TEST_F(FileInterruptionTest, ScopeDeadlineEndsCachedReads) {
  run([&] {
    write_file(path("a"), std::string(1 << 20, 'x'));
    File file = File::open(path("a"));
    Scope scope;
    scope.set_timeout(2ms);
    auto reader = scope.spawn([&] {
      std::array<std::byte, 4096> block;
      for (;;) file.read_at(0, block);
    });
    EXPECT_THROW(await(reader), DeadlineError);
  });
}

TEST_F(FileInterruptionTest, ScopeDeadlineEndsCopyThatNeverWaits) {
  run([&] {
    write_file(path("a"), std::string(1 << 20, 'x'));
    File file = File::open(path("a"));
    auto [sender, receiver] = socket_pair();
    auto drainer = spawn([&] {
      std::vector<std::byte> block(65536);
      while (receiver.read_some(block) != 0) {
      }
    });
    Scope scope;
    scope.set_timeout(2ms);
    auto copier = scope.spawn([&] {
      for (;;) {
        file.seek(0);
        copy(file, sender, {.count = 600'000});
      }
    });
    EXPECT_THROW(await(copier), DeadlineError);
    sender.close();
    await(drainer);
  });
}

TEST_F(FileInterruptionTest, CopyChecksTimeoutWithoutWaiting) {
  run([&] {
    write_file(path("a"), "0123456789");
    File file = File::open(path("a"));
    auto [sender, receiver] = socket_pair();
    EXPECT_THROW(copy(file, sender, {}, 0ns), TimeoutError);
    EXPECT_EQ(file.position(), sender.bytes_written()) << "the position is after the sent bytes";
    file.seek(0);
    EXPECT_EQ(copy(file, sender, {.count = 10}), 10u);
  });
}

// IO-09
TEST_F(FileInterruptionTest, ClosingFileWakesCopyWaitingForSocket) {
  run([&] {
    write_file(path("a"), std::string(4 << 20, 'x'));
    File file = File::open(path("a"));
    auto [sender, receiver] = socket_pair();
    auto copier = spawn([&, to = &sender] { copy(file, *to, {}, 10s); });
    while (sender.bytes_written() == 0) delay(1ms);
    for (int i = 0; i < 3; ++i) delay(1ms);
    file.close();
    EXPECT_THROW(await(copier), ClosedError);
  });
}

TEST_F(FileInterruptionTest, CancelledCoroutineStartsNoOperation) {
  run([&] {
    write_file(path("a"), "kept");
    File file = File::open(path("a"), {.mode = FileMode::read_write});
    auto task = spawn([&] {
      auto& liveness = detail::require_scheduler("test").reactor().liveness();
      const std::size_t before = liveness.foreground;
      EXPECT_THROW(delay(1h), Cancelled);
      EXPECT_THROW(remove_file(path("a")), Cancelled);
      EXPECT_THROW(file.resize(0), Cancelled);
      EXPECT_EQ(liveness.foreground, before) << "operations in flight";
    });
    delay(1ms);
    task.cancel();
    await(task);
    EXPECT_EQ(read_file(path("a")), "kept");
  });
}

// IO-27
TEST_F(FileInterruptionTest, HandleMayMoveDuringLockWait) {
  run([&] {
    write_file(path("a"), "");
    File holder = File::open(path("a"));
    auto lock = std::make_optional(holder.lock());
    auto file = std::make_unique<File>(File::open(path("a")));
    auto waiter = spawn([&] { file->lock(LockMode::exclusive, 10s); });
    delay(2ms);
    Io moved = std::move(*file);
    file.reset();
    lock.reset();
    await(waiter);
    EXPECT_FALSE(moved.state().closed);
  });
}

TEST_F(FileInterruptionTest, TokenEndsLockWait) {
  run([&] {
    write_file(path("a"), "");
    File holder = File::open(path("a"));
    File file = File::open(path("a"));
    auto lock = std::make_optional(holder.lock());
    EXPECT_THROW(file.lock(LockMode::exclusive, timeout(3ms)), OperationCancelled);
    EXPECT_THROW(file.lock(LockMode::exclusive, Clock::now() + 3ms), TimeoutError);
    lock.reset();
    file.lock();
  });
}

TEST_F(FileInterruptionTest, TokenEndsCachedWrites) {
  run([&] {
    File file = File::open(path("a"), {.mode = FileMode::write, .create = true});
    const std::string block(64 << 10, 'x');
    Timeout token(2ms);
    EXPECT_THROW(
        {
          for (;;) {
            file.seek(0);
            file.write_all(block, token);
          }
        },
        OperationCancelled);
  });
}

TEST_F(FileInterruptionTest, TokenEndsCopyToSocket) {
  run([&] {
    const std::string all(4 << 20, 'x');
    write_file(path("a"), all);
    File file = File::open(path("a"));
    auto [sender, receiver] = socket_pair();
    EXPECT_THROW(copy(file, sender, {}, timeout(3ms)), OperationCancelled);
    EXPECT_EQ(file.position(), sender.bytes_written());
  });
}

}  // namespace
}  // namespace trueasync::test
