// The behavior that io.hpp documents for concurrent and interrupted operations.
#include <algorithm>
#include <cerrno>

#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

// AIO-03 IO-06
TEST_F(IoTest, ConcurrentReadsGetDataInFifoOrder) {
  run([] {
    auto [io, peer] = connection();
    std::vector<std::string> got(3);
    std::vector<Task<void>> readers;
    for (std::size_t i = 0; i < got.size(); ++i) {
      readers.push_back(spawn([&, i, stream = &io] { got[i] = read_text(*stream, 2); }));
    }
    settle();
    EXPECT_EQ(::send(peer.get(), "aabbcc", 6, 0), 6);
    for (auto& reader : readers) await(reader);
    EXPECT_EQ(got, (std::vector<std::string>{"aa", "bb", "cc"}));
  });
}

// AIO-03 IO-06 R3
TEST_F(IoTest, ConcurrentWritesDoNotInterleave) {
  run([] {
    auto [local, peer] = make_socket_pair();
    Io io = Io::adopt(local.release(), "pair");
    shrink_buffers(io.descriptor());
    constexpr std::size_t kSize = 2 << 20;
    std::vector<Task<void>> writers;
    for (char letter : {'a', 'b', 'c'}) {
      writers.push_back(spawn([letter, stream = &io] { stream->write_all(std::string(kSize, letter)); }));
    }
    std::string all;
    Io other = Io::adopt(peer.release(), "peer");
    while (all.size() < 3 * kSize) all += read_text(other, 65536);
    for (auto& writer : writers) await(writer);
    EXPECT_EQ(all, std::string(kSize, 'a') + std::string(kSize, 'b') + std::string(kSize, 'c'));
    EXPECT_EQ(io.bytes_written(), 3 * kSize);
    EXPECT_EQ(other.bytes_read(), 3 * kSize);
  });
}

// AIO-03 IO-09 R3
TEST_F(IoTest, CloseWakesEveryWaiterWithClosedError) {
  run([] {
    auto [io, peer] = connection();
    UniqueFd other = std::move(peer);
    shrink_buffers(io.descriptor());
    int closed = 0;
    std::vector<Task<void>> waiting;
    for (int i = 0; i < 3; ++i) {
      waiting.push_back(spawn([&, stream = &io] {
        EXPECT_EQ(thrown<ClosedError>([&] { read_text(*stream); }), "read tcp: the handle is closed");
        ++closed;
      }));
      waiting.push_back(spawn([&, stream = &io] {
        EXPECT_EQ(thrown<ClosedError>([&] { stream->write_all(std::string(64 << 20, 'x')); }),
                  "write tcp: the handle is closed");
        ++closed;
      }));
    }
    settle();
    EXPECT_EQ(closed, 0);
    io.close();
    EXPECT_EQ(io.descriptor(), -1);
    EXPECT_EQ(registrations(), 0u) << "the reactor drops the descriptor immediately";
    for (auto& task : waiting) await(task);
    EXPECT_EQ(closed, 6);
    io.close();
    EXPECT_TRUE(io.state().closed);
  });
}

// AIO-03 IO-09
TEST_F(IoTest, CloseKeepsDataAlreadyRead) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_EQ(::send(peer.get(), "before", 6, 0), 6);
    auto reader = spawn([stream = &io] { return read_text(*stream); });
    yield();
    io.close();
    EXPECT_EQ(await(reader), "before");
  });
}

// IO-03 IO-09 R2
TEST_F(IoTest, DestroyingHandleClosesItForReader) {
  run([] {
    auto [io, peer] = connection();
    auto owned = std::make_unique<Io>(std::move(io));
    auto reader = spawn([stream = owned.get()] { return thrown<ClosedError>([&] { read_text(*stream); }); });
    settle();
    owned.reset();
    EXPECT_NE(await(reader), "");
  });
}

// AIO-03 IO-08 R3
TEST_F(IoTest, ResetDeliversDataThenWakesWaiters) {
  run([] {
    auto [io, peer] = connection();
    UniqueFd other = std::move(peer);
    shrink_buffers(io.descriptor());
    std::vector<int> codes;
    std::string first;
    auto reader = spawn([&, stream = &io] {
      first = read_text(*stream);
      codes.push_back(thrown_code([&] { read_text(*stream); }));
    });
    auto late_reader = spawn([&, stream = &io] { codes.push_back(thrown_code([&] { read_text(*stream); })); });
    auto writer = spawn(
        [&, stream = &io] { codes.push_back(thrown_code([&] { stream->write_all(std::string(64 << 20, 'x')); })); });
    settle();
    EXPECT_EQ(::send(other.get(), "last data", 9, 0), 9);
    settle();
    reset(other);
    await(reader);
    await(late_reader);
    await(writer);
    EXPECT_EQ(first, "last data");
    ASSERT_EQ(codes.size(), 3u);
    // The kernel reports the reset once. A later read returns EOF, a later write fails with EPIPE.
    EXPECT_NE(std::count(codes.begin(), codes.end(), ECONNRESET), 0);
    for (int code : codes) EXPECT_TRUE(code == ECONNRESET || code == EPIPE || code == 0) << code;
    EXPECT_EQ(thrown_code([&] { io.write_all("x"); }), EPIPE);
  });
}

// AIO-03 IO-26
TEST_F(IoTest, EofFollowsDataAndPersists) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_EQ(::send(peer.get(), "rest", 4, 0), 4);
    ASSERT_EQ(::shutdown(peer.get(), SHUT_WR), 0);
    settle();
    EXPECT_EQ(read_text(io, 2), "re");
    EXPECT_FALSE(io.state().eof);
    EXPECT_EQ(read_text(io, 64), "st");
    EXPECT_EQ(read_text(io), "");
    EXPECT_TRUE(io.state().eof);
    EXPECT_EQ(read_text(io), "");
    io.write_all("still writable");
    EXPECT_EQ(take_pending(peer), "still writable");
  });
}

// AIO-03
TEST_F(IoTest, HalfCloseEndsOneDirection) {
  run([] {
    auto [io, peer] = connection();
    io.write_all("question");
    io.shutdown_write();
    EXPECT_FALSE(io.state().writable);
    char text[64];
    EXPECT_EQ(::recv(peer.get(), text, sizeof text, 0), 8);
    EXPECT_EQ(::recv(peer.get(), text, sizeof text, 0), 0);
    EXPECT_EQ(::send(peer.get(), "answer", 6, 0), 6);
    EXPECT_EQ(read_text(io), "answer");
    EXPECT_EQ(thrown([&] { io.write_all("more"); }), "write tcp: Broken pipe");
  });
}

// AIO-03 CXL-05 IO-17
TEST_F(IoTest, CancelledWriteReportsBytesAndUnblocksNextWriter) {
  run([] {
    auto [io, peer] = connection();
    shrink_buffers(io.descriptor());
    auto writer = spawn([stream = &io] { stream->write_all(std::string(64 << 20, 'x')); });
    settle();
    auto second = spawn([stream = &io] { stream->write_all("END"); });
    settle();
    writer.cancel();
    Io other = Io::adopt(peer.release(), "peer");
    std::string all;
    while (!all.ends_with("END")) all += read_text(other, 65536);
    await(second);
    EXPECT_TRUE(writer.is_cancelled());
    EXPECT_EQ(io.bytes_written(), all.size());
    EXPECT_EQ(all, std::string(all.size() - 3, 'x') + "END");
  });
}

// AIO-03 IO-22
TEST_F(IoTest, TimedOutReadConsumesNothing) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_NE(thrown<TimeoutError>([&] { read_text(io, 16, 2ms); }), "");
    EXPECT_EQ(::send(peer.get(), "late", 4, 0), 4);
    EXPECT_EQ(read_text(io, 16, 10s), "late");
    EXPECT_NE(thrown<TimeoutError>([&] { read_text(io, 16, 2ms); }), "");
    EXPECT_EQ(::send(peer.get(), "later", 5, 0), 5);
    EXPECT_EQ(read_text(io), "later");
  });
}

// AIO-04
TEST_F(IoTest, WriteSuspendsWithoutBufferingWhilePeerDoesNotRead) {
  run([] {
    auto [io, peer] = connection();
    const std::string data(64 << 20, 'x');
    auto writer = spawn([&, stream = &io] { stream->write_all(data); });
    settle();
    EXPECT_FALSE(writer.is_finished());
    const auto taken = io.bytes_written();
    EXPECT_LT(taken, data.size() / 4) << "at most the content of the two kernel buffers";
    settle();
    EXPECT_EQ(io.bytes_written(), taken);
    Io other = Io::adopt(peer.release(), "peer");
    std::string block(1 << 20, '\0');
    std::size_t got = 0;
    while (got < data.size()) got += other.read_some(std::as_writable_bytes(std::span(block)));
    await(writer);
    EXPECT_EQ(got, data.size());
  });
}

}  // namespace
}  // namespace trueasync::test
