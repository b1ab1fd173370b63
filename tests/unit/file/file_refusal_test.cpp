// Waits of file operations that are refused, cut short or outlive their handle.
#include <sys/socket.h>

#include <array>
#include <memory>
#include <vector>

#include "file_fixture.hpp"
#include "reactor/reactor.hpp"
#include "trueasync/copy.hpp"
#include "trueasync/file_lock.hpp"
#include "trueasync/scope.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class FileRefusalTest : public FileTest {
 protected:
  static std::array<Io, 2> sockets() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    return {Io::adopt(ends[0], "left"), Io::adopt(ends[1], "right")};
  }
};

TEST_F(FileRefusalTest, AScopesDeadlineEndsReadsThatNeverHaveToWait) {
  run([&] {
    write_file(path("a"), std::string(1 << 20, 'x'));
    Io file = open_file(path("a"));
    Scope scope;
    scope.set_timeout(2ms);
    auto reader = scope.spawn([&] {
      std::array<std::byte, 4096> block;
      for (;;) read_at(file, 0, block);
    });
    EXPECT_THROW(await(reader), DeadlineError);
  });
}

TEST_F(FileRefusalTest, AScopesDeadlineEndsACopyThatNeverHasToWait) {
  run([&] {
    write_file(path("a"), std::string(1 << 20, 'x'));
    Io file = open_file(path("a"));
    auto [left, right] = sockets();
    auto drain = spawn([&] {
      std::vector<std::byte> block(65536);
      while (right.read(block) != 0) {
      }
    });
    Scope scope;
    scope.set_timeout(2ms);
    auto copier = scope.spawn([&] {
      for (;;) {
        seek(file, 0);
        copy(file, left, {.count = 600'000});
      }
    });
    EXPECT_THROW(await(copier), DeadlineError);
    left.close();
    await(drain);
  });
}

TEST_F(FileRefusalTest, ACopysLimitIsLookedAtThoughTheSocketTakesEverything) {
  run([&] {
    write_file(path("a"), "0123456789");
    Io file = open_file(path("a"));
    auto [left, right] = sockets();
    EXPECT_THROW(copy(file, left, {.timeout = 0ns}), TimeoutError);
    EXPECT_EQ(position(file), left.bytes_written()) << "the position stands behind what was sent";
    seek(file, 0);
    EXPECT_EQ(copy(file, left, {.count = 10}), 10u);
  });
}

TEST_F(FileRefusalTest, ClosingTheFileWakesACopyThatWaitsForItsSocket) {
  // IO-09
  run([&] {
    write_file(path("a"), std::string(4 << 20, 'x'));
    Io file = open_file(path("a"));
    auto [left, right] = sockets();
    auto copier = spawn([&, to = &left] { copy(file, *to, {.timeout = 10s}); });
    while (left.bytes_written() == 0) delay(1ms);
    for (int i = 0; i < 3; ++i) delay(1ms);
    file.close();
    EXPECT_THROW(await(copier), ClosedError);
  });
}

TEST_F(FileRefusalTest, ACancelledCoroutineBeginsNoMoreWork) {
  run([&] {
    write_file(path("a"), "kept");
    Io file = open_file(path("a"), {.mode = FileMode::read_write});
    auto task = spawn([&] {
      auto& liveness = detail::require_scheduler("test").reactor().liveness();
      const std::size_t before = liveness.foreground;
      EXPECT_THROW(delay(1h), Cancelled);
      EXPECT_THROW(remove_file(path("a")), Cancelled);
      EXPECT_THROW(resize_file(file, 0), Cancelled);
      EXPECT_EQ(liveness.foreground, before) << "work under way";
    });
    delay(1ms);
    task.cancel();
    await(task);
    EXPECT_EQ(read_file(path("a")), "kept");
  });
}

TEST_F(FileRefusalTest, TheHandleMayGoWhileSomebodyWaitsForALock) {
  // IO-27
  run([&] {
    write_file(path("a"), "");
    Io holder = open_file(path("a"));
    auto lock = std::make_optional(lock_file(holder));
    auto file = std::make_unique<Io>(open_file(path("a")));
    auto waiter = spawn([&] { lock_file(*file, LockMode::exclusive, 10s); });
    delay(2ms);
    Io elsewhere = std::move(*file);
    file.reset();
    lock.reset();
    await(waiter);
    EXPECT_FALSE(elsewhere.state().closed);
  });
}

}  // namespace
}  // namespace trueasync::test
