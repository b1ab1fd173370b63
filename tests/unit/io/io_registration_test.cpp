// The registration of a handle with the reactor: it persists, can be shared and ends with the descriptor.
#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

using IoRegistrationTest = IoTest;

// REA-03
TEST_F(IoRegistrationTest, RegistrationPersistsBetweenReads) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_EQ(registrations(), 0u) << "no operation has waited yet";
    for (int i = 0; i < 3; ++i) {
      auto reader = spawn([stream = &io] { return read_text(*stream); });
      settle();
      peer.write_byte();
      EXPECT_EQ(await(reader), "x");
      EXPECT_EQ(registrations(), 1u);
    }
    io.close();
    EXPECT_EQ(registrations(), 0u);
  });
}

// XC-13 SCH-05
TEST_F(IoRegistrationTest, UnreadDataDoesNotSpinLoop) {
  run([] {
    auto [io, peer] = connection();
    auto reader = spawn([stream = &io] { return read_text(*stream); });
    settle();
    peer.write_byte();
    await(reader);
    peer.write_byte();
    peer.write_byte();
    const auto before = statistics().polls_blocking;
    delay(50ms);
    EXPECT_LE(statistics().polls_blocking - before, 6u) << "a spinning loop would poll thousands of times";
    EXPECT_EQ(read_text(io), "xx") << "a later read gets the data";
  });
}

// XC-13 IO-08
TEST_F(IoRegistrationTest, ClosedPeerDoesNotSpinLoop) {
  run([] {
    for (bool by_reset : {false, true}) {
      auto [io, peer] = connection();
      auto reader = spawn([stream = &io] { return read_text(*stream); });
      settle();
      peer.write_byte();
      await(reader);
      UniqueFd other = std::move(peer);
      if (by_reset) {
        reset(other);
      } else {
        other.close();
      }
      const auto before = statistics().polls_blocking;
      delay(50ms);
      EXPECT_LE(statistics().polls_blocking - before, 6u);
      const int code = thrown_code([&] { EXPECT_EQ(read_text(io), ""); });
      EXPECT_EQ(code, by_reset ? ECONNRESET : 0);
    }
  });
}

// REA-03 IO-10
TEST_F(IoRegistrationTest, PollAndHandleShareDescriptor) {
  run([] {
    auto [io, peer] = connection();
    auto reader = spawn([stream = &io] { return read_text(*stream); });
    auto poller = spawn([fd = io.descriptor()] { return poll(fd, Readiness::readable); });
    auto writable = spawn([fd = io.descriptor()] { return poll(fd, Readiness::writable); });
    auto cancelled = spawn([fd = io.descriptor()] { return poll(fd, Readiness::readable); });
    EXPECT_EQ(await(writable), Readiness::writable);
    settle();
    EXPECT_EQ(registrations(), 2u) << "one of the handle, one shared by all polls";
    cancelled.cancel();
    settle();
    peer.write_byte();
    EXPECT_EQ(await(reader), "x");
    EXPECT_EQ(await(poller), Readiness::readable);
    auto second = spawn([stream = &io] { return read_text(*stream); });
    settle();
    peer.write_byte();
    EXPECT_EQ(await(second), "x");
  });
}

// IO-09 IO-04
TEST_F(IoRegistrationTest, CloseWakesPollAndDescriptorCanBeReused) {
  run([] {
    auto [io, peer] = connection();
    const int number = io.descriptor();
    auto reader = spawn([stream = &io] { return thrown<ClosedError>([&] { read_text(*stream); }); });
    auto poller = spawn([number] { return thrown<Error>([&] { poll(number, Readiness::readable); }); });
    settle();
    io.close();
    EXPECT_NE(await(reader), "");
    EXPECT_NE(await(poller).find("closed"), std::string::npos);
    EXPECT_EQ(registrations(), 0u);
    auto pair = make_socket_pair();
    if (pair[1].get() == number) std::swap(pair[0], pair[1]);
    ASSERT_EQ(pair[0].get(), number) << "the kernel reuses the lowest free number";
    auto again = spawn([number] { return poll(number, Readiness::readable, 10s); });
    settle();
    pair[1].write_byte();
    EXPECT_EQ(await(again), Readiness::readable);
  });
}

// IO-08 IO-09
TEST_F(IoRegistrationTest, ResetAtAnyPointWakesWaiters) {
  run([] {
    for (int point = 0; point < 6; ++point) {
      auto [io, peer] = connection();
      UniqueFd other = std::move(peer);
      int finished = 0;
      auto reader = spawn([&, stream = &io] {
        try {
          while (read_text(*stream, 2) != "") {
          }
        } catch (const IoError&) {
        }
        ++finished;
      });
      auto writer = spawn([&, stream = &io] {
        try {
          stream->write_all(std::string(32 << 20, 'x'));
          for (;;) stream->write_all("more");
        } catch (const IoError&) {
        }
        ++finished;
      });
      if (point >= 1) settle();
      if (point >= 2) other.write_byte();
      if (point >= 3) settle();
      if (point >= 4) take_pending(other);
      if (point >= 5) settle();
      reset(other);
      await(reader);
      await(writer);
      EXPECT_EQ(finished, 2);
    }
  });
}

}  // namespace
}  // namespace trueasync::test
