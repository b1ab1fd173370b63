// Connections are watched edge-triggered: everything is announced once, and nothing may be missed for that.
#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

// A connection whose reader has waited before: it is registered.
void make_registered(Io& io, const UniqueFd& peer) {
  auto reader = spawn([stream = &io] { return read_text(*stream); });
  settle();
  peer.write_byte();
  EXPECT_EQ(await(reader), "x");
}

TEST_F(IoTest, TheEndThatCameTogetherWithTheLastBytesIsSeen) {
  // IO-08
  for (const bool is_registered : {false, true}) {
    for (const bool is_looked_at : {false, true}) {
      run([=] {
        auto [io, peer] = connection();
        if (is_registered) make_registered(io, peer);
        EXPECT_EQ(::send(peer.get(), "bye", 3, 0), 3);
        peer.close();
        if (is_looked_at) settle();
        EXPECT_EQ(read_text(io, 100, 10s), "bye");
        EXPECT_EQ(read_text(io, 100, 10s), "") << is_registered << is_looked_at;
      });
    }
  }
}

TEST_F(IoTest, WhatCameWhileNobodyWaitedEndsTheNextWait) {
  // R1
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

TEST_F(IoTest, WhatAReaderWasToldThatThenLeftIsReadByTheNext) {
  // CXL-05 R1
  run([] {
    auto [io, peer] = connection();
    make_registered(io, peer);
    auto leaves = spawn([stream = &io] { return read_text(*stream); });
    settle();
    peer.write_byte();
    detail::Scheduler::current()->reactor().run_once(true);
    leaves.cancel();
    EXPECT_THROW(await(leaves), Cancelled);
    EXPECT_EQ(read_text(io, 100, 10s), "x");
  });
}

TEST_F(IoTest, BytesBehindUrgentOnesAreReadWithoutMoreComing) {
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

TEST_F(IoTest, AWriteThatFillsTheConnectionGoesOnWhenItIsEmptied) {
  // AIO-04
  run([] {
    auto [io, peer] = connection();
    const std::string text(8 << 20, 'w');
    auto writer = spawn([&, stream = &io] { stream->write(std::as_bytes(std::span(text))); });
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
