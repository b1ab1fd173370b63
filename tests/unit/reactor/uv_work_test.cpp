// Work on the loop's threads: it outlives its waiters, and the reactor outlives it or lets it be.
#include <sys/wait.h>

#include <semaphore>

#include "reactor/sim/sim_reactor.hpp"
#include "reactor/work_event.hpp"
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

using detail::EpollReactor;
using detail::SimReactor;
using detail::WorkEvent;

// Counts the living ones, so that a test sees who was freed, and when.
class Work : public WorkEvent {
 public:
  explicit Work(std::function<void()> body = {}, bool cancellable = false)
      : WorkEvent("some work"), body_(std::move(body)), cancellable_(cancellable) {
    ++alive;
  }
  void run() noexcept override {
    ran.fetch_add(1);
    if (body_) body_();
  }
  static inline int alive = 0;
  static inline std::atomic<int> ran{0};

  bool is_cancellable() const noexcept override { return cancellable_; }

 protected:
  ~Work() override { --alive; }

 private:
  std::function<void()> body_;
  bool cancellable_;
};

Ref<Work> make_work(std::function<void()> body = {}, bool cancellable = false) {
  Work::ran = 0;
  return Ref<Work>::adopt(new Work(std::move(body), cancellable));
}

// A door that threads wait at.
class Door {
 public:
  void wait() {
    arrived.fetch_add(1);
    semaphore_.acquire();
  }
  void open(int for_how_many) { semaphore_.release(for_how_many); }
  std::atomic<int> arrived{0};

 private:
  std::counting_semaphore<> semaphore_{0};
};

TEST_F(UvReactorTest, WorkRunsOnAnotherThreadAndItsEndIsTold) {
  // REA-01
  std::thread::id where;
  Ref<Work> work = make_work([&] { where = std::this_thread::get_id(); });
  reactor_.submit(*work);
  RecordingSubscriber told(*work);
  ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() == 1; }));
  EXPECT_NE(where, std::this_thread::get_id());
  EXPECT_TRUE(work->is_done());
  EXPECT_FALSE(work->was_cancelled());
}

TEST_F(UvReactorTest, WorkIsCountedFromSubmitToItsEndWaitedForOrNot) {
  // IO-12
  Door door;
  Ref<Work> work = make_work([&] { door.wait(); });
  reactor_.submit(*work);
  EXPECT_EQ(reactor_.liveness().foreground, 1u);
  EXPECT_TRUE(reactor_.has_foreground_work());
  door.open(1);
  ASSERT_TRUE(turn_until(reactor_, [&] { return work->is_done(); }));
  EXPECT_EQ(reactor_.liveness().foreground, 0u);
}

TEST_F(UvReactorTest, WorkThatEverybodyLetGoLivesUntilItIsOver) {
  // R2 IO-02 IO-28 REA-04 CA-10
  Door door;
  Ref<Work> work = make_work([&, buffer = std::make_shared<std::vector<char>>(4096)] {
    door.wait();
    std::fill(buffer->begin(), buffer->end(), 'x');
  });
  reactor_.submit(*work);
  { RecordingSubscriber told(*work); }
  work = nullptr;
  settle();
  EXPECT_EQ(Work::alive, 1);
  door.open(1);
  ASSERT_TRUE(turn_until(reactor_, [&] { return Work::alive == 0; }));
  EXPECT_EQ(Work::ran, 1);
}

// As many as libuv has threads; more wait in its queue.
constexpr int kPool = 4;

TEST_F(UvReactorTest, QueuedWorkIsTakenBackWhenItsLastWaiterLeavesIfItAllowsThat) {
  // IO-02 REA-04
  Door door;
  std::vector<Ref<Work>> busy;
  for (int i = 0; i < kPool; ++i) busy.push_back(make_work([&] { door.wait(); }));
  Ref<Work> willing = make_work({}, true);
  Ref<Work> stubborn = make_work({}, false);
  for (auto& work : busy) reactor_.submit(*work);
  ASSERT_TRUE(turn_until(reactor_, [&] { return door.arrived == kPool; }));
  reactor_.submit(*willing);
  reactor_.submit(*stubborn);
  {
    RecordingSubscriber first(*willing);
    RecordingSubscriber second(*willing);
    first.unsubscribe();
    settle();
    EXPECT_FALSE(willing->is_done()) << "somebody still waits";
    RecordingSubscriber third(*stubborn);
  }
  ASSERT_TRUE(turn_until(reactor_, [&] { return willing->is_done(); }));
  EXPECT_TRUE(willing->was_cancelled());
  EXPECT_FALSE(stubborn->is_done());
  door.open(kPool);
  ASSERT_TRUE(turn_until(reactor_, [&] { return stubborn->is_done() && reactor_.requests().empty(); }));
  EXPECT_FALSE(stubborn->was_cancelled());
  EXPECT_EQ(Work::ran, kPool + 1);
}

TEST_F(UvReactorTest, WorkMayBeSubmittedAgainAndSteadyWorkReusesItsRequest) {
  Ref<Work> work = make_work();
  for (int i = 1; i <= 10; ++i) {
    reactor_.submit(*work);
    EXPECT_FALSE(work->is_done());
    ASSERT_TRUE(turn_until(reactor_, [&] { return work->is_done(); }));
    EXPECT_EQ(Work::ran, i);
    EXPECT_EQ(reactor_.spare_works().size(), 1u);
  }
}

TEST(UvReactorClose, WaitsForWorkThatIsUnderWay) {
  // DN-02 SH-01
  Door door;
  Ref<Work> work = make_work([&] { door.wait(); });
  std::thread opener;
  {
    EpollReactor reactor;
    reactor.submit(*work);
    opener = std::thread([&] {
      while (door.arrived == 0) std::this_thread::yield();
      door.open(1);
    });
    EXPECT_TRUE(reactor.close().empty());
  }
  opener.join();
  EXPECT_TRUE(work->is_done());
  work = nullptr;
  EXPECT_EQ(Work::alive, 0);
}

TEST(UvReactorClose, LeavesAWedgedThreadItsMemory) {
  // DN-02 R2
  auto* door = new Door;  // the thread goes on after this test, perhaps
  std::atomic<bool> over{false};
  Ref<Work> work = make_work([&over, door] {
    door->wait();
    over = true;
  });
  {
    EpollReactor reactor;
    reactor.submit(*work);
    while (door->arrived == 0) std::this_thread::yield();
    EXPECT_EQ(reactor.close(), std::vector<std::string>{"some work"});
    EXPECT_EQ(reactor.liveness().foreground, 0u);
  }
  EXPECT_FALSE(work->is_done());
  EXPECT_FALSE(work->is_in_flight());
  work = nullptr;
  EXPECT_EQ(Work::alive, 1) << "its thread may still use it";
  door->open(1);
  while (!over) std::this_thread::yield();
  delete door;
  Work::alive = 0;
}

TEST(SimWork, RunsInTheNextPollInOrder) {
  SimReactor reactor;
  std::string order;
  Ref<Work> first = make_work([&] { order += "1"; });
  Ref<Work> second = make_work([&] { order += "2"; });
  reactor.submit(*first);
  reactor.submit(*second);
  EXPECT_EQ(reactor.liveness().foreground, 2u);
  EXPECT_EQ(order, "");
  RecordingSubscriber told(*second);
  reactor.run_once(false);
  EXPECT_EQ(order, "12");
  EXPECT_EQ(told.times(), 1u);
  EXPECT_EQ(reactor.liveness().foreground, 0u);
}

TEST(SimWork, IsTakenBackLikeTheRealOne) {
  // IO-02
  SimReactor reactor;
  Ref<Work> willing = make_work({}, true);
  Ref<Work> late = make_work();
  Ref<Work> last = make_work({}, true);
  reactor.submit(*willing);
  { RecordingSubscriber told(*willing); }
  reactor.run_once(true);
  EXPECT_TRUE(willing->was_cancelled());
  reactor.submit(*late);
  reactor.submit(*last);
  EXPECT_TRUE(reactor.close().empty());
  EXPECT_TRUE(last->was_cancelled());
  EXPECT_FALSE(late->was_cancelled()) << "a write that was asked for is done";
  EXPECT_EQ(Work::ran, 1);
}

}  // namespace
}  // namespace trueasync::test
