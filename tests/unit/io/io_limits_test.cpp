// Io with extreme sizes and timeouts, and with interruptions.
#include <cerrno>

#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

using IoLimitsTest = IoTest;

// AIO-03
TEST_F(IoLimitsTest, ShortWritesAndReadsContinue) {
  run([] {
    auto [io, peer] = connection();
    shrink_buffers(io.descriptor());
    shrink_buffers(peer.get());
    std::string data(96 << 10, '\0');
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7);
    auto writer = spawn([&, stream = &io] { stream->write_all(data); });
    Io other = Io::adopt(peer.release(), "peer");
    std::string got;
    std::size_t reads = 0;
    for (; got.size() < data.size(); ++reads) got += read_text(other, 1000);
    await(writer);
    EXPECT_GT(reads, data.size() / 1000);
    EXPECT_EQ(got, data);
  });
}

// IO-15 IO-14
TEST_F(IoLimitsTest, VectoredWriteExceedingIovMaxIsAtomic) {
  run([] {
    auto [local, peer] = make_socket_pair();
    Io io = Io::adopt(local.release(), "pair");
    std::string expected;
    std::vector<std::string> texts;
    for (int i = 0; i < 5000; ++i) texts.push_back(i % 7 == 0 ? "" : std::to_string(i) + ",");
    std::vector<ConstBytes> pieces;
    for (const std::string& text : texts) {
      pieces.push_back(as_bytes(text));
      expected += text;
    }
    auto writer = spawn([&, stream = &io] { stream->write_all(pieces); });
    auto second = spawn([stream = &io] { stream->write_all("!"); });
    Io other = Io::adopt(peer.release(), "peer");
    std::string got;
    while (!got.ends_with('!')) got += read_text(other);
    await(writer);
    await(second);
    EXPECT_EQ(got, expected + "!");
  });
}

// AIO-03
TEST_F(IoLimitsTest, EmptyReadAndWriteReturnImmediately) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_EQ(io.read_some({}), 0u);
    EXPECT_FALSE(io.state().eof);
    EXPECT_EQ(io.write_some({}), 0u);
    io.write_all("");
    io.write_all(std::span<const ConstBytes>());
    EXPECT_EQ(io.bytes_written(), 0u);
    EXPECT_EQ(take_pending(peer), "");
  });
}

// IO-21
TEST_F(IoLimitsTest, NonPositiveTimeoutTriesOnce) {
  run([] {
    auto [io, peer] = connection();
    for (auto timeout : {-1ns, std::chrono::nanoseconds::min(), 0ns}) {
      EXPECT_NE(thrown<TimeoutError>([&] { read_text(io, 16, timeout); }), "");
    }
    EXPECT_EQ(::send(peer.get(), "there", 5, 0), 5);
    EXPECT_EQ(read_text(io, 16, -1ns), "there");
    // After a short read the next read does not try first. A zero timeout must still return available data.
    EXPECT_EQ(::send(peer.get(), "again", 5, 0), 5);
    EXPECT_EQ(read_text(io, 16, 0ns), "again");
    EXPECT_NE(thrown<TimeoutError>([&] { io.write_all(std::string(64 << 20, 'x'), -1ns); }), "");
  });
}

// IO-20 IO-21
TEST_F(IoLimitsTest, MaximumTimeoutNeverExpires) {
  run([] {
    auto [io, peer] = connection();
    auto reader = spawn([stream = &io] { return read_text(*stream, 16, std::chrono::nanoseconds::max()); });
    settle();
    EXPECT_FALSE(reader.is_finished());
    EXPECT_EQ(::send(peer.get(), "x", 1, 0), 1);
    EXPECT_EQ(await(reader), "x");
  });
}

// IO-22 PO-28
TEST_F(IoLimitsTest, TimeoutIncludesLockWaitAndKeepsHandleUsable) {
  run([] {
    auto [io, peer] = connection();
    auto first = spawn([stream = &io] { return read_text(*stream); });
    auto timed_out = spawn([stream = &io] { return thrown<TimeoutError>([&] { read_text(*stream, 16, 3ms); }); });
    EXPECT_NE(await(timed_out), "");
    EXPECT_EQ(::send(peer.get(), "one", 3, 0), 3);
    EXPECT_EQ(await(first), "one");
    EXPECT_EQ(::send(peer.get(), "two", 3, 0), 3);
    EXPECT_EQ(read_text(io), "two");
  });
}

// IO-10 IO-01 CXL-05
TEST_F(IoLimitsTest, CancelledReadersLeaveQueueInOrder) {
  run([] {
    auto [io, peer] = connection();
    std::vector<Task<std::string>> readers;
    for (int i = 0; i < 9; ++i) readers.push_back(spawn([stream = &io] { return read_text(*stream, 1); }));
    settle();
    for (std::size_t i : {0u, 3u, 4u, 8u}) readers[i].cancel();  // the first, some in the middle, the last
    EXPECT_EQ(::send(peer.get(), "abcde", 5, 0), 5);
    std::string got;
    for (std::size_t i : {1u, 2u, 5u, 6u, 7u}) got += await(readers[i]);
    EXPECT_EQ(got, "abcde");
    for (std::size_t i : {0u, 3u, 4u, 8u}) EXPECT_TRUE(readers[i].is_cancelled());
  });
}

// R1 CXL-05 IO-10
TEST_F(IoLimitsTest, CancelAfterGrantMovesLockToNextReader) {
  run([] {
    auto [io, peer] = connection();
    auto first = spawn([stream = &io] { return read_text(*stream, 1); });
    auto second = spawn([stream = &io] { return read_text(*stream, 1); });
    auto third = spawn([stream = &io] { return read_text(*stream, 1); });
    settle();
    EXPECT_EQ(::send(peer.get(), "ab", 2, 0), 2);
    while (!first.is_finished()) yield();
    second.cancel();  // the lock was granted to it, but it has not run
    EXPECT_EQ(await(first) + await(third), "ab");
    EXPECT_TRUE(second.is_cancelled());
  });
}

// CXL-01 IO-09
TEST_F(IoLimitsTest, CancelBeforeCloseThrowsCancelled) {
  run([] {
    auto [io, peer] = connection();
    auto holder = spawn([stream = &io] { read_text(*stream); });
    auto waiter = spawn([stream = &io] { read_text(*stream); });
    settle();
    holder.cancel();
    waiter.cancel();
    io.close();
    EXPECT_THROW(await(holder), Cancelled);
    EXPECT_THROW(await(waiter), Cancelled);
  });
}

// SCH-06 CXL-01
TEST_F(IoLimitsTest, FastPeerDoesNotStarveOrDelayCancellation) {
  run([] {
    auto [local, peer] = make_socket_pair();
    Io io = Io::adopt(local.release(), "pair");
    std::size_t writes = 0;
    auto echo = spawn([&, other = Io::adopt(peer.release(), "peer")]() mutable {
      for (;;) other.write_all(read_text(other));
    });
    auto busy = spawn([&, stream = &io] {
      for (;; ++writes) {
        stream->write_all("x");
        (void)stream->bytes_written();
      }
    });
    delay(1ms);
    busy.cancel();
    echo.cancel();
    EXPECT_THROW(await(busy), Cancelled);
    EXPECT_THROW(await(echo), Cancelled);
    EXPECT_GT(writes, 0u);
  });
}

// R1 CXL-05
TEST_F(IoLimitsTest, CancelDuringFairnessYieldLosesNoData) {
  run([] {
    auto [io, peer] = connection();
    const std::string data(1000, 'd');
    EXPECT_EQ(::send(peer.get(), data.data(), data.size(), 0), 1000);
    settle();
    std::size_t taken = 0;
    auto reader = spawn([&, stream = &io] {
      for (;;) taken += read_text(*stream, 1).size();
    });
    yield();
    yield();  // the reader yielded although it never had to wait
    EXPECT_GT(taken, 0u);
    EXPECT_LT(taken, data.size());
    reader.cancel();
    EXPECT_THROW(await(reader), Cancelled);
    EXPECT_EQ(taken, io.bytes_read());
    EXPECT_EQ(taken + read_text(io, 2000).size(), data.size());
  });
}

}  // namespace
}  // namespace trueasync::test
