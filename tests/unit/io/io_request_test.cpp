// IoRequest: operations as events.
#include <cerrno>

#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

using IoRequestTest = IoTest;

// AIO-02
TEST_F(IoRequestTest, CompletesOnceWithResult) {
  run([] {
    auto [io, peer] = connection();
    std::array<std::byte, 16> buffer;
    Ref<IoRequest> request = io.read_request(buffer);
    EXPECT_NE(thrown<MisuseError>([&] { request->result(); }), "");
    Event* events[] = {request.get()};
    auto waiter = spawn([&] { wait_any(events); });
    settle();
    EXPECT_FALSE(request->is_completed());
    EXPECT_EQ(::send(peer.get(), "four", 4, 0), 4);
    await(waiter);
    EXPECT_TRUE(request->is_completed());
    EXPECT_EQ(request->result(), 4u);
    EXPECT_EQ(request->error(), 0);
    wait_any(events);
    EXPECT_EQ(request->result(), 4u) << "a completed request stays completed";
  });
}

// AIO-02 SUS-04 REA-02
TEST_F(IoRequestTest, WaitsTogetherWithOtherEvents) {
  run([] {
    auto [one, one_peer] = connection();
    auto [two, two_peer] = connection();
    std::array<std::byte, 16> buffer_one, buffer_two;
    Ref<IoRequest> first = one.read_request(buffer_one);
    Ref<IoRequest> second = two.read_request(buffer_two);
    Trigger trigger;
    Timeout far(1h);
    Event* events[] = {first.get(), &far.event(), second.get(), &trigger.event()};
    EXPECT_EQ(::send(two_peer.get(), "x", 1, 0), 1);
    EXPECT_EQ(wait_any(events), 2u);
    EXPECT_FALSE(first->is_completed());
    EXPECT_EQ(::send(one_peer.get(), "yy", 2, 0), 2);
    EXPECT_EQ(wait_any(std::span(events, 2)), 0u) << "a request that has not fired can be awaited again";
    EXPECT_EQ(first->result(), 2u);
  });
}

// IO-01 IO-02 IO-16 AIO-02
TEST_F(IoRequestTest, DestroyedRequestConsumesNothing) {
  run([] {
    auto [io, peer] = connection();
    {
      std::array<std::byte, 16> buffer;
      Ref<IoRequest> request = io.read_request(buffer);
      Event* events[] = {request.get()};
      EXPECT_THROW(wait_any(events, 1ms), TimeoutError);
    }
    EXPECT_EQ(::send(peer.get(), "kept", 4, 0), 4);
    EXPECT_EQ(read_text(io), "kept");
    std::array<std::byte, 16> buffer;
    Ref<IoRequest> outliving_request = io.read_request(buffer);
    io.close();
    io = Io();
    Event* events[] = {outliving_request.get()};
    wait_any(events);
    EXPECT_EQ(outliving_request->error(), EBADF);
    EXPECT_NE(thrown<ClosedError>([&] { outliving_request->result(); }), "");
  });
}

// IO-01 IO-09 IO-16
TEST_F(IoRequestTest, CloseCompletesWaitingRequest) {
  run([] {
    auto [io, peer] = connection();
    std::array<std::byte, 16> buffer;
    Ref<IoRequest> first = io.read_request(buffer);
    Ref<IoRequest> second = io.read_request(buffer);
    Event* events[] = {first.get(), second.get()};
    auto waiter = spawn([&] { wait_all(events); });
    settle();
    io.close();
    await(waiter);
    EXPECT_NE(thrown<ClosedError>([&] { first->result(); }), "");
    EXPECT_NE(thrown<ClosedError>([&] { second->result(); }), "");
    EXPECT_EQ(second->error(), EBADF);
  });
}

// AIO-02 AIO-03 IO-06
TEST_F(IoRequestTest, RequestsAndCallsShareFifoOrder) {
  run([] {
    auto [io, peer] = connection();
    std::array<std::byte, 2> buffer;
    Ref<IoRequest> request = io.read_request(buffer);
    auto first = spawn([stream = &io] { return read_text(*stream, 2); });
    yield();
    auto second = spawn([&] {
      Event* events[] = {request.get()};
      wait_any(events);
    });
    yield();
    auto third = spawn([stream = &io] { return read_text(*stream, 2); });
    settle();
    EXPECT_EQ(::send(peer.get(), "aabbcc", 6, 0), 6);
    EXPECT_EQ(await(first), "aa");
    EXPECT_EQ(await(third), "cc");
    await(second);
    EXPECT_EQ(request->result(), 2u);
    EXPECT_EQ(static_cast<char>(buffer[0]), 'b');
  });
}

// R1 CXL-05 AIO-02
TEST_F(IoRequestTest, DataReadForCancelledWaiterIsNotLost) {
  run([] {
    auto [io, peer] = connection();
    UniqueFd other = std::move(peer);
    std::array<std::byte, 16> buffer;
    Ref<IoRequest> request = io.read_request(buffer);
    bool resumed = false;
    auto waiter = spawn([&] {
      Event* events[] = {request.get()};
      wait_any(events);
      resumed = true;  // the data is delivered before the cancellation
      delay(1h);
    });
    // Cancels the waiter after it was woken and before it runs, in the same loop iteration.
    struct Canceller : Subscription {
      Coroutine target;
    } canceller;
    canceller.target = waiter.coroutine();
    canceller.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<Canceller&>(self).target.cancel();
    };
    yield();
    request->subscribe(canceller);
    EXPECT_EQ(::send(other.get(), "data", 4, 0), 4);
    EXPECT_THROW(await(waiter), Cancelled);
    EXPECT_TRUE(request->is_completed());
    EXPECT_TRUE(resumed);
  });
}

// AIO-02 AIO-03 IO-14
TEST_F(IoRequestTest, InterruptedWriteReportsBytesWritten) {
  run([] {
    auto [local, peer] = make_socket_pair();
    Io io = Io::adopt(local.release(), "pair");
    const std::string data(4 << 20, 'w');
    Ref<IoRequest> request = io.write_request(as_bytes(data));
    Event* events[] = {request.get()};
    EXPECT_THROW(wait_any(events, 2ms), TimeoutError);
    EXPECT_FALSE(request->is_completed());
    EXPECT_GT(request->bytes(), 0u);
    EXPECT_EQ(request->bytes(), io.bytes_written());
    Io other = Io::adopt(peer.release(), "peer");
    auto reader = spawn([stream = &other, size = data.size()] {
      std::size_t got = 0;
      while (got < size) got += read_text(*stream, 65536).size();
      return got;
    });
    wait_any(events);
    EXPECT_EQ(request->result(), data.size());
    EXPECT_EQ(await(reader), data.size());
  });
}

// AIO-02 IO-08
TEST_F(IoRequestTest, ReportsPeerReset) {
  run([] {
    auto [io, peer] = connection();
    UniqueFd other = std::move(peer);
    std::array<std::byte, 16> buffer;
    Ref<IoRequest> request = io.read_request(buffer);
    Event* events[] = {request.get()};
    auto waiter = spawn([&] { wait_any(events); });
    settle();
    reset(other);
    await(waiter);
    EXPECT_EQ(request->error(), ECONNRESET);
    EXPECT_EQ(thrown([&] { request->result(); }), "read tcp: Connection reset by peer");
  });
}

}  // namespace
}  // namespace trueasync::test
