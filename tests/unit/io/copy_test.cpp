#include "trueasync/io/stream.hpp"

#include <sys/socket.h>

#include <array>

#include "file_fixture.hpp"
#include "support/scripted_stream.hpp"
#include "trueasync/io/buffered_reader.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CopyTest : public FileTest {
 protected:
  static std::array<Io, 2> socket_pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    return {Io::adopt(ends[0], "sender"), Io::adopt(ends[1], "receiver")};
  }
  static std::string contents(std::size_t size) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 31 + i / 1000) % 26);
    return text;
  }
};

// IO-25 IO-34 AIO-04
TEST_F(CopyTest, CopiesFileToSlowSocket) {
  const std::string all = contents(3'000'001);
  run([&] {
    write_file(path("a"), all);
    for (bool cold : {false, true}) {
      File file = File::open(path("a"), {.mode = FileMode::read_write});
      if (cold) drop_cache(file.descriptor());
      auto [sender, receiver] = socket_pair();
      auto reader = spawn([&] { return read_all(receiver, all.size()); });
      EXPECT_EQ(copy(file, sender), all.size());
      EXPECT_EQ(file.position(), all.size());
      EXPECT_EQ(sender.bytes_written(), all.size());
      sender.close();
      EXPECT_EQ(await(std::move(reader)), all);
    }
  });
}

TEST_F(CopyTest, StartsAtPositionAndRespectsCount) {
  run([&] {
    write_file(path("a"), "0123456789");
    File file = File::open(path("a"));
    file.seek(2);
    auto [sender, receiver] = socket_pair();
    EXPECT_EQ(copy(file, sender, {.count = 5}), 5u);
    EXPECT_EQ(file.position(), 7u);
    EXPECT_EQ(copy(file, sender, {.count = 100}), 3u);
    EXPECT_EQ(copy(file, sender), 0u);
    sender.close();
    EXPECT_EQ(read_all(receiver, 100), "23456789");
  });
}

TEST_F(CopyTest, TimeoutLeavesPositionAfterSentBytes) {
  const std::string all = contents(3'000'000);
  run([&] {
    write_file(path("a"), all);
    File file = File::open(path("a"));
    auto [sender, receiver] = socket_pair();
    EXPECT_THROW(copy(file, sender, {}, 5ms), TimeoutError);
    const std::uint64_t sent = file.position();
    EXPECT_EQ(sender.bytes_written(), sent);
    EXPECT_LT(sent, all.size());
    auto reader = spawn([&] { return read_all(receiver, all.size()); });
    EXPECT_EQ(copy(file, sender), all.size() - sent);
    sender.close();
    EXPECT_EQ(await(std::move(reader)), all);
  });
}

TEST_F(CopyTest, OtherWriterWaitsForCopy) {
  const std::string all = contents(2'000'000);
  run([&] {
    write_file(path("a"), all);
    File file = File::open(path("a"));
    auto [sender, receiver] = socket_pair();
    auto copying = spawn([&] { copy(file, sender); });
    auto other = spawn([&] { sender.write_all("after"); });
    auto reader = spawn([&] { return read_all(receiver, all.size() + 6); });
    await(copying);
    await(other);
    sender.close();
    EXPECT_EQ(await(std::move(reader)), all + "after");
  });
}

// IO-08 IO-09
TEST_F(CopyTest, PeerCloseFailsAndLocalCloseWakesCopy) {
  run([&] {
    write_file(path("a"), contents(2'000'000));
    File file = File::open(path("a"));
    {
      auto [sender, receiver] = socket_pair();
      auto copying = spawn([&file, &sender = sender] { copy(file, sender); });
      delay(2ms);
      receiver.close();
      EXPECT_THROW(await(copying), IoError);
    }
    auto [sender, receiver] = socket_pair();
    auto copying = spawn([&file, &sender = sender] { copy(file, sender); });
    delay(2ms);
    sender.close();
    EXPECT_THROW(await(copying), ClosedError);
  });
}

TEST_F(CopyTest, OtherStreamsAreCopiedThroughBuffer) {
  run([&] {
    ScriptedStream from({"abc", "de", "f"});
    ScriptedStream to({});
    EXPECT_EQ(copy(from, to, {.count = 4}), 4u);
    EXPECT_EQ(copy(from, to), 2u);
    EXPECT_EQ(to.written, "abcdef");
    const std::string all = contents(500'000);
    write_file(path("a"), all);
    File source = File::open(path("a"));
    File target = File::open(path("b"), {.mode = FileMode::write, .create = true});
    EXPECT_EQ(copy(source, target), all.size());
    EXPECT_EQ(read_file(path("b")), all);
  });
}

}  // namespace
}  // namespace trueasync::test
