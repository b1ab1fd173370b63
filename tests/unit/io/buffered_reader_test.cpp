#include "trueasync/io/buffered_reader.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/reactor_test.hpp"
#include "support/scripted_stream.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using Timeout = ScriptedStream::Timeout;
using Reset = ScriptedStream::Reset;

std::string to_text(ConstBytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// AIO-03
TEST(BufferedReader, ReadsLinesForAnyChunkSize) {
  const std::string all = "first\nsecond\r\n\n\r\nlast";
  for (std::size_t piece = 1; piece <= all.size(); ++piece) {
    for (std::size_t capacity : {1, 3, 8, 4096}) {
      std::deque<ScriptedStream::Step> steps;
      for (std::size_t at = 0; at < all.size(); at += piece) steps.emplace_back(all.substr(at, piece));
      ScriptedStream stream(std::move(steps));
      BufferedReader reader(stream, capacity);
      EXPECT_EQ(reader.read_line(), "first");
      EXPECT_EQ(reader.read_line(), "second");
      EXPECT_EQ(reader.read_line(), "");
      EXPECT_EQ(reader.read_line(), "");
      EXPECT_EQ(reader.read_line(), "last");
      EXPECT_EQ(reader.read_line(), std::nullopt);
      EXPECT_EQ(reader.read_line(), std::nullopt);
    }
  }
}

// IO-26
TEST(BufferedReader, DeliversDataBeforeEof) {
  ScriptedStream stream({"abc"});
  BufferedReader reader(stream);
  EXPECT_EQ(to_text(reader.peek(10)), "abc");
  std::byte two[2];
  EXPECT_EQ(reader.read_some(two), 2u);
  EXPECT_EQ(reader.read_line(), "c");
  EXPECT_EQ(reader.read_some(two), 0u);
}

TEST(BufferedReader, KeepsCarriageReturnInsideLine) {
  ScriptedStream stream({"a\rb\n", "c\r"});
  BufferedReader reader(stream);
  EXPECT_EQ(reader.read_line(), "a\rb");
  EXPECT_EQ(reader.read_line(), "c\r");
}

TEST(BufferedReader, TooLongLineLosesNothing) {
  ScriptedStream stream({"0123456789", "abc\nshort\n"});
  BufferedReader reader(stream);
  try {
    reader.read_line(8);
    FAIL();
  } catch (const TooLongError& error) {
    EXPECT_EQ(error.max(), 8u);
    EXPECT_STREQ(error.what(), "read a line from script: exceeds the limit of 8 bytes");
  }
  EXPECT_EQ(to_text(reader.buffered()), "0123456789");
  EXPECT_EQ(reader.read_line(13), "0123456789abc");
  EXPECT_EQ(reader.read_line(5), "short");
}

TEST(BufferedReader, AcceptsLineOfMaximumSize) {
  for (const char* end : {"\n", "\r\n"}) {
    for (std::size_t split = 0; split <= 5; ++split) {
      const std::string all = std::string("1234") + end;
      ScriptedStream stream({all.substr(0, split), all.substr(split)});
      // An empty step would be the end of the stream.
      if (split == 0) stream = ScriptedStream({all});
      BufferedReader reader(stream);
      EXPECT_EQ(reader.read_line(4), "1234");
    }
  }
}

TEST(BufferedReader, ReadUntilFindsSplitDelimiter) {
  ScriptedStream stream({"head\r", "\n\r", "\nbody", "\r\n\r"});
  BufferedReader reader(stream, 4);
  EXPECT_EQ(reader.read_until("\r\n\r\n"), "head");
  try {
    reader.read_until("\r\n\r\n");
    FAIL();
  } catch (const EndOfStreamError& error) {
    EXPECT_EQ(error.received(), 7u);
  }
  EXPECT_EQ(to_text(reader.buffered()), "body\r\n\r");
  reader.consume(7);
  EXPECT_EQ(reader.read_until("\n"), std::nullopt);
  EXPECT_THROW(reader.consume(1), MisuseError);
  EXPECT_THROW(reader.read_until(""), MisuseError);
}

TEST(BufferedReader, ReadUntilEnforcesLimitAndLosesNothing) {
  ScriptedStream stream({"12345;6;", "abcdefgh"});
  BufferedReader reader(stream);
  EXPECT_THROW(reader.read_until(";", 4), TooLongError);
  EXPECT_EQ(reader.read_until(";", 5), "12345");
  EXPECT_EQ(reader.read_until(";", 5), "6");
  EXPECT_THROW(reader.read_until(";", 5), TooLongError);
  EXPECT_EQ(to_text(reader.buffered()), "abcdefgh");
}

// IO-22
TEST(BufferedReader, TimeoutKeepsBufferedData) {
  ScriptedStream stream({"ab", Timeout{}, "cd", Timeout{}, "\nef", Timeout{}, "gh"});
  BufferedReader reader(stream);
  EXPECT_THROW(reader.read_line(), TimeoutError);
  EXPECT_EQ(to_text(reader.buffered()), "ab");
  std::byte six[6];
  EXPECT_THROW(reader.read_exact(six), TimeoutError);
  EXPECT_EQ(reader.read_line(), "abcd");
  EXPECT_THROW(reader.read_exact(std::span(six).first(4)), TimeoutError);
  reader.read_exact(std::span(six).first(4));
  EXPECT_EQ(to_text(std::span(six).first(4)), "efgh");
}

// IO-22
TEST(BufferedReader, TimeoutOfLargeReadKeepsData) {
  // Reads larger than the buffer bypass it.
  ScriptedStream stream({"0123", "4567", Timeout{}, "89\n"});
  BufferedReader reader(stream, 2);
  std::byte ten[10];
  EXPECT_THROW(reader.read_exact(ten), TimeoutError);
  EXPECT_EQ(to_text(reader.buffered()), "01234567");
  EXPECT_EQ(reader.read_line(), "0123456789");
}

TEST(BufferedReader, ErrorKeepsBufferedData) {
  ScriptedStream stream({"ab", Reset{}});
  BufferedReader reader(stream);
  EXPECT_THROW(reader.read_line(), IoError);
  EXPECT_EQ(to_text(reader.buffered()), "ab");
}

TEST(BufferedReader, ReadExactReportsBytesBeforeEof) {
  ScriptedStream stream({"a", "bc"});
  BufferedReader reader(stream);
  std::byte four[4];
  try {
    reader.read_exact(four);
    FAIL();
  } catch (const EndOfStreamError& error) {
    EXPECT_EQ(error.received(), 3u);
    EXPECT_EQ(to_text(std::span(four).first(3)), "abc");
  }
}

// IO-19
TEST(BufferedReader, UsesBufferedDataWithoutReading) {
  ScriptedStream stream({"one\ntwo\nthree\n"});
  BufferedReader reader(stream);
  EXPECT_EQ(reader.read_line(), "one");
  EXPECT_EQ(reader.read_line(), "two");
  EXPECT_EQ(reader.read_line(), "three");
  EXPECT_EQ(stream.reads, 1);
}

TEST(BufferedReader, ReadAllEnforcesLimit) {
  ScriptedStream stream({"abc", "def"});
  BufferedReader reader(stream);
  EXPECT_THROW(reader.read_all(5), TooLongError);
  EXPECT_EQ(reader.read_all(6), "abcdef");
  ScriptedStream other({"abc", "def"});
  EXPECT_EQ(read_all(other, 6), "abcdef");
  ScriptedStream third({"abc", "def"});
  EXPECT_THROW(read_all(third, 5), TooLongError);
}

// A stream whose reads ignore their deadlines: each returns one byte after 2 ms. Records the deadlines.
class DeadlineRecorder final : public Stream {
 public:
  std::size_t read_some(Bytes buffer, WaitOptions options, SourceLocation) override {
    deadlines.push_back(options.deadline({}));
    delay(2ms);
    buffer.front() = std::byte{'x'};
    return 1;
  }
  std::size_t write_some(ConstBytes data, WaitOptions, SourceLocation) override { return data.size(); }
  using Stream::write_all;
  void write_all(std::span<const ConstBytes>, WaitOptions, SourceLocation) override {}
  void shutdown_write(WaitOptions, SourceLocation) override {}
  void close() noexcept override {}
  std::string_view name() const noexcept override { return "recorder"; }

  std::vector<std::optional<TimePoint>> deadlines;
};

TEST(ReadExact, PassesOneDeadlineToAllReads) {
  make_runtime(ReactorKind::simulated)->run([] {
    DeadlineRecorder stream;
    const std::optional<TimePoint> deadline = detail::with_fixed_deadline(3ms).deadline({});
    std::byte three[3];
    stream.read_exact(three, 3ms);
    EXPECT_EQ(stream.deadlines, std::vector<std::optional<TimePoint>>(3, deadline));
  });
}

TEST(ReadExact, ReportsBytesBeforeEof) {
  ScriptedStream stream({"ab", "cd", "e"});
  std::byte four[4];
  stream.read_exact(four);
  EXPECT_EQ(to_text(four), "abcd");
  try {
    stream.read_exact(four);
    FAIL();
  } catch (const EndOfStreamError& error) {
    EXPECT_EQ(error.received(), 1u);
  }
}

}  // namespace
}  // namespace trueasync::test
