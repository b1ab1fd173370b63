// Lifetime of handles, events and requests, and fairness of operations that never wait.
#include <fcntl.h>

#include <csignal>
#include <memory>

#include "io/io_handle.hpp"
#include "stream_fixture.hpp"
#include "trueasync/detail/access.hpp"
#include "trueasync/event.hpp"
#include "trueasync/io/net.hpp"
#include "trueasync/io/signal.hpp"

namespace trueasync::test {
namespace {

using IoLifetimeTest = IoTest;

TEST_F(IoLifetimeTest, WriteOnlyHandleCanBeClosedAfterRuntime) {
  Io io;
  UniqueFd peer;
  {
    Runtime runtime;
    runtime.run([&] {
      Connection created = connection();
      io = std::move(created.io);
      peer = std::move(created.peer);
      shrink_buffers(io.descriptor());
      EXPECT_THROW(io.write_all(std::string(32 << 20, 'x'), 1ms), TimeoutError);
    });
  }
  io.close();
}

TEST_F(IoLifetimeTest, UnstartedEventsCannotStartAfterRuntime) {
  auto [local, peer] = make_socket_pair();
  Ref<Event> readable;
  Ref<Event> signal;
  {
    Runtime runtime;
    runtime.run([&] {
      readable = poll_event(local.get(), Readiness::readable);
      signal = signal_event(SIGUSR1);
    });
  }
  EXPECT_TRUE(readable->start());
  EXPECT_TRUE(signal->start());
}

TEST_F(IoLifetimeTest, ListenerDestroyedDuringWaitWakesWaiter) {
  run([] {
    auto listener = std::make_unique<Listener>(listen(Address::loopback(AddressFamily::ipv4, 0)));
    bool woken = false;
    auto waiter = spawn([&] {
      Event* events[] = {&listener->event()};
      wait_any(events);
      woken = true;
    });
    settle();
    listener.reset();
    await(waiter);
    EXPECT_TRUE(woken);
  });
}

TEST_F(IoLifetimeTest, ManyRequestsCompleteInOneNotification) {
  run([] {
    constexpr std::size_t kRequests = 20'000;
    auto [io, peer] = connection();
    auto reader = spawn([stream = &io] { return read_text(*stream, 1); });
    settle();
    std::string got(kRequests, '?');
    std::vector<Ref<IoRequest>> requests;
    for (char& byte : got) {
      requests.push_back(io.read_request(std::as_writable_bytes(std::span(&byte, 1))));
      EXPECT_FALSE(requests.back()->start());
    }
    const std::string sent = "x" + std::string(kRequests, 'y');
    EXPECT_EQ(::send(peer.get(), sent.data(), sent.size(), 0), ssize_t(sent.size()));
    EXPECT_EQ(await(reader), "x");
    for (auto& request : requests) {
      Event* events[] = {request.get()};
      wait_any(events, 10s);
      request->stop();
    }
    EXPECT_EQ(got, std::string(kRequests, 'y'));
  });
}

// A stream that accepts any amount of data without blocking.
Io make_sink() {
  return detail::Access::from_handle<Io>(
      detail::new_stream_handle(IoKind::pipe, ::open("/dev/null", O_WRONLY | O_CLOEXEC), "sink"));
}

// SCH-05
TEST_F(IoLifetimeTest, LongWriteYieldsWithoutBlocking) {
  run([] {
    const std::string block(128 << 10, 'x');
    const std::vector<ConstBytes> pieces(64, std::as_bytes(std::span(block)));
    const std::size_t all = pieces.size() * block.size();
    Io complete = make_sink();
    std::size_t seen = 0;
    auto other = spawn([&] { seen = complete.bytes_written(); });
    complete.write_all(pieces);
    EXPECT_GT(seen, 0u);
    EXPECT_LT(seen, all);
    await(other);

    Io timed_out = make_sink();
    EXPECT_THROW(timed_out.write_all(pieces, 0ns), TimeoutError);
    EXPECT_LT(timed_out.bytes_written(), all);

    Io cancelled_write = make_sink();
    auto writer = spawn([&] { cancelled_write.write_all(pieces); });
    auto canceller = spawn([&] { writer.cancel(); });
    await(canceller);
    EXPECT_THROW(await(writer), Cancelled);
    EXPECT_GT(cancelled_write.bytes_written(), 0u);
    EXPECT_LT(cancelled_write.bytes_written(), all);
  });
}

TEST_F(IoLifetimeTest, BlockingLingerIsRejected) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_THROW(set_socket_options(io, {.linger = 5s}), MisuseError);
    EXPECT_NO_THROW(set_socket_options(io, {.linger = 0s}));
  });
}

TEST_F(IoLifetimeTest, PollFailsOnDescriptorClosedElsewhere) {
  run([] {
    auto [local, peer] = make_socket_pair();
    Ref<Event> first = poll_event(local.get(), Readiness::readable);
    EXPECT_FALSE(first->start());
    settle();  // registers the descriptor with the kernel
    const int number = local.get();
    local.close();
    EXPECT_THROW(poll(number, Readiness::writable), Error);
    settle();
    first->stop();
  });
}

// IO-08
TEST_F(IoLifetimeTest, PersistentSubscriberIsNotifiedWhileErrorPersists) {
  run([] {
    auto [reading, writing] = make_pipe();
    Ref<Event> event = poll_event(writing.get(), Readiness::readable);
    struct Count : Subscription {
      int times = 0;
    } count;
    count.persistent = true;
    count.callback = [](Subscription& self, const Notification&) noexcept { ++static_cast<Count&>(self).times; };
    event->subscribe(count);
    EXPECT_FALSE(event->start());
    settle();
    reading.close();
    for (int i = 0; i < 1000 && count.times < 3; ++i) delay(1ms);
    EXPECT_GE(count.times, 3);
    event->unsubscribe(count);
    event->stop();
  });
}

TEST_F(IoLifetimeTest, PollableDeviceIsStream) {
  run([] {
    Io random = Io::adopt(::open("/dev/random", O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(random.kind(), IoKind::pipe);
    EXPECT_EQ(read_text(random, 16).size(), 16u);
    Io null = Io::adopt(::open("/dev/null", O_RDWR | O_CLOEXEC));
    EXPECT_EQ(null.kind(), IoKind::file);
  });
}

}  // namespace
}  // namespace trueasync::test
