// Work events: blocking calls on libuv's worker threads.
#include <sys/wait.h>

#include <semaphore>

#include "epoll_reactor_fixture.hpp"
#include "reactor/sim/sim_reactor.hpp"
#include "reactor/work_event.hpp"

namespace trueasync::test {
namespace {

using detail::EpollReactor;
using detail::SimReactor;
using detail::WorkEvent;
using WorkEventTest = EpollReactorTest;

// Counts its live objects, so that a test can check when an object is destroyed.
class Work : public WorkEvent {
 public:
  explicit Work(std::function<void()> body = {}, bool cancellable = false)
      : WorkEvent("some work"), body_(std::move(body)), cancellable_(cancellable) {
    ++live;
  }
  void run() noexcept override {
    ran.fetch_add(1);
    if (body_) body_();
  }
  static inline int live = 0;
  static inline std::atomic<int> ran{0};

  bool is_cancellable() const noexcept override { return cancellable_; }

 protected:
  ~Work() override { --live; }

 private:
  std::function<void()> body_;
  bool cancellable_;
};

Ref<Work> make_work(std::function<void()> body = {}, bool cancellable = false) {
  Work::ran = 0;
  return Ref<Work>::adopt(new Work(std::move(body), cancellable));
}

// Blocks worker threads until open().
class Gate {
 public:
  void wait() {
    blocked.fetch_add(1);
    semaphore_.acquire();
  }
  void open(int threads) { semaphore_.release(threads); }
  std::atomic<int> blocked{0};

 private:
  std::counting_semaphore<> semaphore_{0};
};

// REA-01
TEST_F(WorkEventTest, RunsOnWorkerThreadAndNotifiesCompletion) {
  std::thread::id worker;
  Ref<Work> work = make_work([&] { worker = std::this_thread::get_id(); });
  reactor_.submit(*work);
  RecordingSubscriber subscriber(*work);
  ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() == 1; }));
  EXPECT_NE(worker, std::this_thread::get_id());
  EXPECT_TRUE(work->is_done());
  EXPECT_FALSE(work->was_cancelled());
}

// IO-12
TEST_F(WorkEventTest, IsForegroundWorkUntilDoneEvenWithoutWaiter) {
  Gate gate;
  Ref<Work> work = make_work([&] { gate.wait(); });
  reactor_.submit(*work);
  EXPECT_EQ(reactor_.liveness().foreground, 1u);
  EXPECT_TRUE(reactor_.has_foreground_work());
  gate.open(1);
  ASSERT_TRUE(run_until(reactor_, [&] { return work->is_done(); }));
  EXPECT_EQ(reactor_.liveness().foreground, 0u);
}

// R2 IO-02 IO-28 REA-04 CA-10
TEST_F(WorkEventTest, UnreferencedWorkLivesUntilDone) {
  Gate gate;
  Ref<Work> work = make_work([&, buffer = std::make_shared<std::vector<char>>(4096)] {
    gate.wait();
    std::fill(buffer->begin(), buffer->end(), 'x');
  });
  reactor_.submit(*work);
  { RecordingSubscriber subscriber(*work); }
  work = nullptr;
  run_ready_events();
  EXPECT_EQ(Work::live, 1);
  gate.open(1);
  ASSERT_TRUE(run_until(reactor_, [&] { return Work::live == 0; }));
  EXPECT_EQ(Work::ran, 1);
}

// The size of libuv's thread pool. Further work is queued.
constexpr int kPoolThreads = 4;

// IO-02 REA-04
TEST_F(WorkEventTest, LastUnsubscribeCancelsQueuedCancellableWork) {
  Gate gate;
  std::vector<Ref<Work>> busy;
  for (int i = 0; i < kPoolThreads; ++i) busy.push_back(make_work([&] { gate.wait(); }));
  Ref<Work> cancellable = make_work({}, true);
  Ref<Work> uncancellable = make_work({}, false);
  for (auto& work : busy) reactor_.submit(*work);
  ASSERT_TRUE(run_until(reactor_, [&] { return gate.blocked == kPoolThreads; }));
  reactor_.submit(*cancellable);
  reactor_.submit(*uncancellable);
  {
    RecordingSubscriber first(*cancellable);
    RecordingSubscriber second(*cancellable);
    first.unsubscribe();
    run_ready_events();
    EXPECT_FALSE(cancellable->is_done()) << "the second subscriber still waits";
    RecordingSubscriber third(*uncancellable);
  }
  ASSERT_TRUE(run_until(reactor_, [&] { return cancellable->is_done(); }));
  EXPECT_TRUE(cancellable->was_cancelled());
  EXPECT_FALSE(uncancellable->is_done());
  gate.open(kPoolThreads);
  ASSERT_TRUE(run_until(reactor_, [&] { return uncancellable->is_done() && reactor_.requests().empty(); }));
  EXPECT_FALSE(uncancellable->was_cancelled());
  EXPECT_EQ(Work::ran, kPoolThreads + 1);
}

TEST_F(WorkEventTest, ResubmittedWorkReusesRequest) {
  Ref<Work> work = make_work();
  for (int i = 1; i <= 10; ++i) {
    reactor_.submit(*work);
    EXPECT_FALSE(work->is_done());
    ASSERT_TRUE(run_until(reactor_, [&] { return work->is_done(); }));
    EXPECT_EQ(Work::ran, i);
    EXPECT_EQ(reactor_.spare_works().size(), 1u);
  }
}

// DN-02 SH-01
TEST(EpollReactorClose, CloseWaitsForWorkInFlight) {
  Gate gate;
  Ref<Work> work = make_work([&] { gate.wait(); });
  std::thread opener;
  {
    EpollReactor reactor;
    reactor.submit(*work);
    opener = std::thread([&] {
      while (gate.blocked == 0) std::this_thread::yield();
      gate.open(1);
    });
    EXPECT_TRUE(reactor.close().empty());
  }
  opener.join();
  EXPECT_TRUE(work->is_done());
  work = nullptr;
  EXPECT_EQ(Work::live, 0);
}

// DN-02 R2
TEST(EpollReactorClose, CloseLeaksWorkOfBlockedThread) {
  auto* gate = new Gate;  // its thread may run longer than this test
  std::atomic<bool> finished{false};
  Ref<Work> work = make_work([&finished, gate] {
    gate->wait();
    finished = true;
  });
  {
    EpollReactor reactor;
    reactor.submit(*work);
    while (gate->blocked == 0) std::this_thread::yield();
    EXPECT_EQ(reactor.close(), std::vector<std::string>{"some work"});
    EXPECT_EQ(reactor.liveness().foreground, 0u);
  }
  EXPECT_FALSE(work->is_done());
  EXPECT_FALSE(work->is_in_flight());
  work = nullptr;
  EXPECT_EQ(Work::live, 1) << "the worker thread may still use it";
  gate->open(1);
  while (!finished) std::this_thread::yield();
  delete gate;
  Work::live = 0;
}

TEST(SimWork, RunsInNextPollInFifoOrder) {
  SimReactor reactor;
  std::string order;
  Ref<Work> first = make_work([&] { order += "1"; });
  Ref<Work> second = make_work([&] { order += "2"; });
  reactor.submit(*first);
  reactor.submit(*second);
  EXPECT_EQ(reactor.liveness().foreground, 2u);
  EXPECT_EQ(order, "");
  RecordingSubscriber subscriber(*second);
  reactor.run_once(false);
  EXPECT_EQ(order, "12");
  EXPECT_EQ(subscriber.times(), 1u);
  EXPECT_EQ(reactor.liveness().foreground, 0u);
}

// IO-02
TEST(SimWork, LastUnsubscribeCancelsQueuedCancellableWork) {
  SimReactor reactor;
  Ref<Work> cancellable = make_work({}, true);
  Ref<Work> required = make_work();
  Ref<Work> last = make_work({}, true);
  reactor.submit(*cancellable);
  { RecordingSubscriber subscriber(*cancellable); }
  reactor.run_once(true);
  EXPECT_TRUE(cancellable->was_cancelled());
  reactor.submit(*required);
  reactor.submit(*last);
  EXPECT_TRUE(reactor.close().empty());
  EXPECT_TRUE(last->was_cancelled());
  EXPECT_FALSE(required->was_cancelled()) << "work that is not cancellable runs before close() returns";
  EXPECT_EQ(Work::ran, 1);
}

}  // namespace
}  // namespace trueasync::test
