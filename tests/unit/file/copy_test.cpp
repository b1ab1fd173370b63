#include "trueasync/copy.hpp"

#include <sys/socket.h>

#include <array>

#include "file_fixture.hpp"
#include "support/scripted_stream.hpp"
#include "trueasync/buffered_reader.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CopyTest : public FileTest {
 protected:
  static std::array<Io, 2> sockets() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    return {Io::adopt(ends[0], "left"), Io::adopt(ends[1], "right")};
  }
  static std::string contents(std::size_t size) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 31 + i / 1000) % 26);
    return text;
  }
};

TEST_F(CopyTest, AFileGoesToASocketThatReadsSlowly) {
  // IO-25 IO-34 AIO-04
  const std::string all = contents(3'000'001);
  run([&] {
    write_file(path("a"), all);
    for (bool cold : {false, true}) {
      Io file = open_file(path("a"), {.mode = FileMode::read_write});
      if (cold) drop_cache(file.descriptor());
      auto [left, right] = sockets();
      auto reader = spawn([&] { return read_all(right, all.size()); });
      EXPECT_EQ(copy(file, left), all.size());
      EXPECT_EQ(position(file), all.size());
      EXPECT_EQ(left.bytes_written(), all.size());
      left.close();
      EXPECT_EQ(await(std::move(reader)), all);
    }
  });
}

TEST_F(CopyTest, FromThePositionAndNoMoreThanAskedFor) {
  run([&] {
    write_file(path("a"), "0123456789");
    Io file = open_file(path("a"));
    seek(file, 2);
    auto [left, right] = sockets();
    EXPECT_EQ(copy(file, left, {.count = 5}), 5u);
    EXPECT_EQ(position(file), 7u);
    EXPECT_EQ(copy(file, left, {.count = 100}), 3u);
    EXPECT_EQ(copy(file, left), 0u);
    left.close();
    EXPECT_EQ(read_all(right, 100), "23456789");
  });
}

TEST_F(CopyTest, AfterATimeoutThePositionIsBehindWhatWasSent) {
  const std::string all = contents(3'000'000);
  run([&] {
    write_file(path("a"), all);
    Io file = open_file(path("a"));
    auto [left, right] = sockets();
    EXPECT_THROW(copy(file, left, {.timeout = 5ms}), TimeoutError);
    const std::uint64_t sent = position(file);
    EXPECT_EQ(left.bytes_written(), sent);
    EXPECT_LT(sent, all.size());
    auto reader = spawn([&] { return read_all(right, all.size()); });
    EXPECT_EQ(copy(file, left), all.size() - sent);
    left.close();
    EXPECT_EQ(await(std::move(reader)), all);
  });
}

TEST_F(CopyTest, AnotherWriterWaitsUntilTheCopyIsOver) {
  const std::string all = contents(2'000'000);
  run([&] {
    write_file(path("a"), all);
    Io file = open_file(path("a"));
    auto [left, right] = sockets();
    auto copying = spawn([&] { copy(file, left); });
    auto other = spawn([&] { left.write("behind"); });
    auto reader = spawn([&] { return read_all(right, all.size() + 6); });
    await(copying);
    await(other);
    left.close();
    EXPECT_EQ(await(std::move(reader)), all + "behind");
  });
}

TEST_F(CopyTest, APeerThatGoesIsAnErrorAndACloseWakesTheCopy) {
  // IO-08 IO-09
  run([&] {
    write_file(path("a"), contents(2'000'000));
    Io file = open_file(path("a"));
    {
      auto [left, right] = sockets();
      auto copying = spawn([&file, &left = left] { copy(file, left); });
      delay(2ms);
      right.close();
      EXPECT_THROW(await(copying), IoError);
    }
    auto [left, right] = sockets();
    auto copying = spawn([&file, &left = left] { copy(file, left); });
    delay(2ms);
    left.close();
    EXPECT_THROW(await(copying), ClosedError);
  });
}

TEST_F(CopyTest, EverythingElseGoesThroughABuffer) {
  run([&] {
    ScriptedStream from({"abc", "de", "f"});
    ScriptedStream to({});
    EXPECT_EQ(copy(from, to, {.count = 4}), 4u);
    EXPECT_EQ(copy(from, to), 2u);
    EXPECT_EQ(to.written, "abcdef");
    const std::string all = contents(500'000);
    write_file(path("a"), all);
    Io source = open_file(path("a"));
    Io target = open_file(path("b"), {.mode = FileMode::write, .create = true});
    EXPECT_EQ(copy(source, target), all.size());
    EXPECT_EQ(read_file(path("b")), all);
  });
}

}  // namespace
}  // namespace trueasync::test
