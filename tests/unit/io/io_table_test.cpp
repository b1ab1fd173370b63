// The table at the head of io.hpp, row by row (AIO-03).
#include <algorithm>
#include <cerrno>

#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

TEST_F(IoTest, TwoReadersGetTheBytesInTheOrderTheyAsked) {
  // AIO-03 IO-06
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

TEST_F(IoTest, TwoWritesAreNeverTorn) {
  // AIO-03 IO-06 R3
  run([] {
    auto [mine, peer] = make_socket_pair();
    Io io = Io::adopt(mine.release(), "pair");
    shrink_buffers(io.descriptor());
    constexpr std::size_t kSize = 2 << 20;
    std::vector<Task<void>> writers;
    for (char letter : {'a', 'b', 'c'}) {
      writers.push_back(spawn([letter, stream = &io] { stream->write(std::string(kSize, letter)); }));
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

TEST_F(IoTest, CloseWakesEveryWaiterWithClosedError) {
  // AIO-03 IO-09 R3
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
        EXPECT_EQ(thrown<ClosedError>([&] { stream->write(std::string(64 << 20, 'x')); }),
                  "write tcp: the handle is closed");
        ++closed;
      }));
    }
    settle();
    EXPECT_EQ(closed, 0);
    io.close();
    EXPECT_EQ(io.descriptor(), -1);
    EXPECT_EQ(registrations(), 0u) << "the loop forgets the descriptor at once";
    for (auto& task : waiting) await(task);
    EXPECT_EQ(closed, 6);
    io.close();
    EXPECT_TRUE(io.state().closed);
  });
}

TEST_F(IoTest, AReaderThatGotItsBytesBeforeTheCloseReturnsThem) {
  // AIO-03 IO-09
  run([] {
    auto [io, peer] = connection();
    EXPECT_EQ(::send(peer.get(), "before", 6, 0), 6);
    auto reader = spawn([stream = &io] { return read_text(*stream); });
    yield();
    io.close();
    EXPECT_EQ(await(reader), "before");
  });
}

TEST_F(IoTest, DroppingTheHandleUnderAReaderIsAClose) {
  // IO-03 IO-09 R2
  run([] {
    auto [io, peer] = connection();
    auto owned = std::make_unique<Io>(std::move(io));
    auto reader = spawn([stream = owned.get()] { return thrown<ClosedError>([&] { read_text(*stream); }); });
    settle();
    owned.reset();
    EXPECT_NE(await(reader), "");
  });
}

TEST_F(IoTest, AResetWakesReadersAndWritersAndDataComesFirst) {
  // AIO-03 IO-08 R3
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
    auto writer =
        spawn([&, stream = &io] { codes.push_back(thrown_code([&] { stream->write(std::string(64 << 20, 'x')); })); });
    settle();
    EXPECT_EQ(::send(other.get(), "last words", 10, 0), 10);
    settle();
    reset(other);
    await(reader);
    await(late_reader);
    await(writer);
    EXPECT_EQ(first, "last words");
    ASSERT_EQ(codes.size(), 3u);
    // The kernel tells the reset once; whoever comes later reads the end, or writes into a broken pipe.
    EXPECT_NE(std::count(codes.begin(), codes.end(), ECONNRESET), 0);
    for (int code : codes) EXPECT_TRUE(code == ECONNRESET || code == EPIPE || code == 0) << code;
    EXPECT_EQ(thrown_code([&] { io.write("x"); }), EPIPE);
  });
}

TEST_F(IoTest, TheEndComesAfterTheDataAndStays) {
  // AIO-03 IO-26
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
    io.write("still writable");
    EXPECT_EQ(take_pending(peer), "still writable");
  });
}

TEST_F(IoTest, HalfCloseEndsOneDirectionOnly) {
  // AIO-03
  run([] {
    auto [io, peer] = connection();
    io.write("question");
    io.shutdown_write();
    EXPECT_FALSE(io.state().writable);
    char text[64];
    EXPECT_EQ(::recv(peer.get(), text, sizeof text, 0), 8);
    EXPECT_EQ(::recv(peer.get(), text, sizeof text, 0), 0);
    EXPECT_EQ(::send(peer.get(), "answer", 6, 0), 6);
    EXPECT_EQ(read_text(io), "answer");
    EXPECT_EQ(thrown([&] { io.write("more"); }), "write tcp: Broken pipe");
  });
}

TEST_F(IoTest, AWriteCancelledHalfWayTellsHowMuchWasTakenAndTheNextHasItsTurn) {
  // AIO-03 CXL-05 IO-17
  run([] {
    auto [io, peer] = connection();
    shrink_buffers(io.descriptor());
    auto writer = spawn([stream = &io] { stream->write(std::string(64 << 20, 'x')); });
    settle();
    auto second = spawn([stream = &io] { stream->write("END"); });
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

TEST_F(IoTest, AReadThatTimesOutTakesNothing) {
  // AIO-03 IO-22
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

TEST_F(IoTest, AWriterWhosePeerDoesNotReadSuspendsAndNothingIsBuffered) {
  // AIO-04
  run([] {
    auto [io, peer] = connection();
    const std::string data(64 << 20, 'x');
    auto writer = spawn([&, stream = &io] { stream->write(data); });
    settle();
    EXPECT_FALSE(writer.is_finished());
    const auto taken = io.bytes_written();
    EXPECT_LT(taken, data.size() / 4) << "what the kernel's two buffers hold";
    settle();
    EXPECT_EQ(io.bytes_written(), taken);
    Io other = Io::adopt(peer.release(), "peer");
    std::string block(1 << 20, '\0');
    std::size_t got = 0;
    while (got < data.size()) got += other.read(std::as_writable_bytes(std::span(block)));
    await(writer);
    EXPECT_EQ(got, data.size());
  });
}

}  // namespace
}  // namespace trueasync::test
