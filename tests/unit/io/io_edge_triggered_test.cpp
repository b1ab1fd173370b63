// TCP connections use edge-triggered polling: the kernel reports each change once, and none may be missed.
#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

using IoEdgeTriggeredTest = IoTest;

// Makes the connection wait once, so that it is registered with the poller.
void make_registered(Io& io, const UniqueFd& peer) {
  auto reader = spawn([stream = &io] { return read_text(*stream); });
  settle();
  peer.write_byte();
  EXPECT_EQ(await(reader), "x");
}

// IO-08
TEST_F(IoEdgeTriggeredTest, EofDeliveredWithLastBytesIsRead) {
  for (const bool is_registered : {false, true}) {
    for (const bool is_polled : {false, true}) {
      run([=] {
        auto [io, peer] = connection();
        if (is_registered) make_registered(io, peer);
        EXPECT_EQ(::send(peer.get(), "bye", 3, 0), 3);
        peer.close();
        if (is_polled) settle();
        EXPECT_EQ(read_text(io, 100, 10s), "bye");
        EXPECT_EQ(read_text(io, 100, 10s), "") << is_registered << is_polled;
      });
    }
  }
}

// R1
TEST_F(IoEdgeTriggeredTest, DataReceivedWithoutWaiterEndsNextWait) {
  run([] {
    auto [io, peer] = connection();
    make_registered(io, peer);
    for (int i = 0; i < 3; ++i) {
      peer.write_byte();
      settle();
      EXPECT_EQ(read_text(io, 100, 10s), "x");
    }
  });
}

// CXL-05 R1
TEST_F(IoEdgeTriggeredTest, ReadinessOfCancelledReaderMovesToNextReader) {
  run([] {
    auto [io, peer] = connection();
    make_registered(io, peer);
    auto cancelled_reader = spawn([stream = &io] { return read_text(*stream); });
    settle();
    peer.write_byte();
    detail::Scheduler::current()->reactor().run_once(true);
    cancelled_reader.cancel();
    EXPECT_THROW(await(cancelled_reader), Cancelled);
    EXPECT_EQ(read_text(io, 100, 10s), "x");
  });
}

TEST_F(IoEdgeTriggeredTest, ReadsDataBehindUrgentByte) {
  run([] {
    auto [io, peer] = connection();
    make_registered(io, peer);
    EXPECT_EQ(::send(peer.get(), "a", 1, 0), 1);
    EXPECT_EQ(::send(peer.get(), "!", 1, MSG_OOB), 1);
    EXPECT_EQ(::send(peer.get(), "b", 1, 0), 1);
    settle();
    std::string text = read_text(io, 100, 10s);
    if (text == "a") text += read_text(io, 100, 10s);  // a read ends at the mark
    EXPECT_EQ(text, "ab");
  });
}

// AIO-04
TEST_F(IoEdgeTriggeredTest, BlockedWriteContinuesWhenPeerReads) {
  run([] {
    auto [io, peer] = connection();
    const std::string text(8 << 20, 'w');
    auto writer = spawn([&, stream = &io] { stream->write_all(std::as_bytes(std::span(text))); });
    settle();
    EXPECT_FALSE(writer.is_finished());
    std::string block(1 << 16, '\0');
    std::size_t got = 0;
    while (got < text.size()) {
      const ssize_t some = ::recv(peer.get(), block.data(), block.size(), MSG_DONTWAIT);
      if (some > 0) got += static_cast<std::size_t>(some);
      yield();
    }
    await(writer);
    EXPECT_EQ(io.bytes_written(), text.size());
  });
}

}  // namespace
}  // namespace trueasync::test
