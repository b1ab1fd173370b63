// Random use of a pool by seeds, in random order, with a cancellation at every suspension in turn – of the pool's own
// coroutines too. Whatever happens: nothing is lent twice, nobody sleeps for ever, all figures agree, nothing is left.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "pool_support.hpp"
#include "support/cancel_injector.hpp"
#include "support/seeds.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

struct Tracked {
  int number = 0;
  bool in_use = false;
  bool is_alive = true;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injection_(simulation_.runtime(), inject_at) {}

  // How many suspensions there were.
  std::size_t run() {
    simulation_.run([&] { main(); });
    expect_no_leaks(simulation_.runtime());
    EXPECT_TRUE(living_.empty()) << "resources that were never destroyed";
    EXPECT_EQ(simulation_.runtime().statistics().deadlocks, 0u);
    return injection_.suspensions();
  }

 private:
  PoolOptions<Tracked> options() {
    PoolOptions<Tracked> given;
    max_ = 1 + pick(3);
    given.factory = [this] { return make(); };
    given.destructor = [this](Tracked& tracked) { destroy(tracked); };
    given.max = max_;
    given.min = pick(static_cast<unsigned>(max_) + 1);
    given.max_creating = 1 + pick(2);
    given.backoff_initial = 1ms;
    given.backoff_max = 4ms;
    given.warm_up = WarmUp::background;
    given.order = pick(2) == 0 ? PoolOrder::lifo : PoolOrder::fifo;
    given.on_deactivate = pick(2) == 0 ? OnDeactivate::fail_waiters : OnDeactivate::keep_waiters;
    given.on_unwind = pick(3) == 0 ? OnUnwind::discard : OnUnwind::keep;
    given.on_error = [](const std::exception_ptr&) {};
    if (pick(2) == 0) given.max_lifetime = 5ms;
    if (pick(2) == 0) given.idle_timeout = 3ms;
    if (pick(3) == 0) {
      given.healthcheck = [this](Tracked& tracked) { return hook(tracked); };
      given.healthcheck_interval = 2ms;
    }
    if (pick(2) == 0) given.before_acquire = [this](Tracked& tracked) { return hook(tracked); };
    if (pick(2) == 0) given.before_release = [this](Tracked& tracked) { return hook(tracked); };
    given.seed = random_();
    return given;
  }

  void main() {
    pool_ = std::make_unique<Pool<Tracked>>(options());
    std::vector<Task<void>> workers;
    for (unsigned i = 2 + pick(4); i > 0; --i) {
      workers.push_back(spawn([this, calls = 1 + pick(4)] { work(calls); }));
      coroutines_.push_back(workers.back().coroutine());
    }
    for (unsigned turns = pick(12); turns > 0; --turns) {
      meddle();
      if (pick(2) == 0) {
        yield();
      } else {
        delay(1ms);
      }
    }
    if (pool_->is_paused()) pool_->resume();
    pool_->breaker().activate();
    for (auto& worker : workers) {
      try {
        await(worker);
      } catch (const Cancelled&) {
      }
    }
    check();
    EXPECT_EQ(pool_->statistics().waiting, 0u);
    EXPECT_EQ(pool_->statistics().reserved, 0u);
    pool_.reset();
  }

  void work(unsigned calls) {
    for (; calls > 0; --calls) {
      try {
        use();
      } catch (const PoolError&) {
      } catch (const TimeoutError&) {
      } catch (const ServiceUnavailableError&) {
      } catch (const std::runtime_error&) {
      }
      check();
    }
  }

  void use() {
    auto lease = pick(2) == 0 ? pool_->acquire() : pool_->acquire(std::chrono::milliseconds(1 + pick(20)));
    EXPECT_FALSE(lease->in_use);
    EXPECT_TRUE(living_.contains(lease->number));
    hold(lease);
    if (pick(3) == 0) lease.release();
  }

  void hold(Lease<Tracked>& lease) {
    struct Use {
      Tracked& tracked;
      ~Use() { tracked.in_use = false; }
    } use{*lease};
    lease->in_use = true;
    check();
    pause();
    EXPECT_TRUE(use.tracked.in_use);
    if (pick(6) == 0) lease->is_alive = false;
    if (pick(6) == 0) lease.mark(ResourceState::broken);
    if (pick(6) == 0) throw std::runtime_error("holder");
  }

  std::unique_ptr<Tracked> make() {
    pause();
    if (pick(4) == 0) throw std::runtime_error("refused");
    auto made = std::make_unique<Tracked>(Tracked{++last_});
    living_.insert(last_);
    EXPECT_LE(living_.size(), max_);
    return made;
  }

  void destroy(Tracked& tracked) {
    EXPECT_FALSE(tracked.in_use);
    pause();
    EXPECT_EQ(living_.erase(tracked.number), 1u);
    if (pick(8) == 0) throw std::runtime_error("destructor");
  }

  bool hook(Tracked& tracked) {
    EXPECT_FALSE(tracked.in_use);
    pause();
    if (pick(10) == 0) throw std::runtime_error("hook");
    return tracked.is_alive && pick(8) != 0;
  }

  void meddle() {
    switch (pick(8)) {
      case 0:
        coroutines_[pick(static_cast<unsigned>(coroutines_.size()))].cancel();
        break;
      case 1:
        pool_->pause();
        break;
      case 2:
        pool_->resume();
        break;
      case 3:
        pool_->breaker().deactivate();
        break;
      case 4:
        pool_->breaker().recover();
        break;
      case 5:
        pool_->breaker().activate();
        break;
      case 6:
        if (pick(4) == 0) {
          try {
            pool_->close();
          } catch (const Error&) {
          } catch (const std::runtime_error&) {
          }
        }
        break;
      default:
        (void)pool_->describe();
    }
    check();
  }

  void check() {
    const PoolStatistics now = pool_->statistics();
    expect_balance(now);
    EXPECT_LE(now.total + now.creating, max_);
  }

  void pause() {
    switch (pick(3)) {
      case 0:
        return yield();
      case 1:
        return delay(std::chrono::milliseconds(1 + pick(3)));
      default:
        return;
    }
  }

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injection_;
  std::unique_ptr<Pool<Tracked>> pool_;
  std::vector<Coroutine> coroutines_;
  std::set<int> living_;
  std::size_t max_ = 0;
  int last_ = 0;
};

TEST(PoolModel, NothingIsLentTwiceOrLostWithACancellationAnywhere) {
  // R1 R2 PO-02 PO-09 PO-27 CXL-05 XC-15
  for_each_seed_and_cancellation_point(60, [](std::uint64_t seed, std::size_t at) { return Scenario(seed, at).run(); });
}

// A pool that is full from the start is a semaphore: who is served next is known exactly.
class FullPool {
 public:
  FullPool(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injection_(simulation_.runtime(), inject_at),
        free_(1 + pick(3)) {}

  std::size_t run() {
    simulation_.run([&] {
      Service service;
      Pool<Thing> pool(service.options(free_, free_));
      pool_ = &pool;
      const std::size_t size = free_;
      workers_.resize(2 + pick(5));
      std::vector<Task<void>> tasks;
      for (Worker& worker : workers_) {
        tasks.push_back(spawn([this, &worker, calls = 1 + pick(4)] {
          for (unsigned i = 0; i < calls; ++i) use(worker);
        }));
        worker.coroutine = tasks.back().coroutine();
      }
      for (auto& task : tasks) {
        try {
          await(task);
        } catch (const Cancelled&) {
        }
      }
      EXPECT_EQ(pool.idle_count(), size);
      EXPECT_EQ(service.made, static_cast<int>(size));
      expect_balance(pool);
    });
    expect_no_leaks(simulation_.runtime());
    return injection_.suspensions();
  }

 private:
  enum class Stage { idle, waiting, granted };
  struct Worker {
    Coroutine coroutine;
    Stage stage = Stage::idle;
    bool cancelled = false;
  };

  void use(Worker& self) {
    notice_injection();
    const bool at_once = free_ > 0;
    if (at_once) --free_;
    if (!at_once && !self.cancelled) {
      self.stage = Stage::waiting;
      queue_.push_back(&self);
    }
    try {
      auto lease = pool_->acquire();
      notice_injection();
      EXPECT_EQ(self.stage, at_once ? Stage::idle : Stage::granted);
      self.stage = Stage::idle;
      if (pick(4) == 0) cancel_somebody();
      struct GiveBack {
        FullPool& model;
        Lease<Thing>& lease;
        ~GiveBack() {
          model.notice_injection();
          lease = {};
          model.give_back();
        }
      } back{*this, lease};
      for (unsigned turns = pick(3); turns > 0; --turns) yield();
    } catch (const Cancelled&) {
      notice_injection();
      EXPECT_TRUE(self.cancelled);
      EXPECT_EQ(self.stage, Stage::idle);
      throw;
    }
  }

  void give_back() {
    if (queue_.empty()) {
      ++free_;
      return;
    }
    queue_.front()->stage = Stage::granted;
    queue_.erase(queue_.begin());
  }

  void cancel_somebody() {
    Worker& other = workers_[pick(static_cast<unsigned>(workers_.size()))];
    other.coroutine.cancel();
    cancelled(other);
  }

  void cancelled(Worker& worker) {
    worker.cancelled = true;
    const Stage stage = std::exchange(worker.stage, Stage::idle);
    if (stage == Stage::waiting) queue_.erase(std::find(queue_.begin(), queue_.end(), &worker));
    if (stage == Stage::granted) give_back();
  }

  void notice_injection() {
    if (noticed_ || injection_.cancelled_id() == 0) return;
    noticed_ = true;
    for (Worker& worker : workers_) {
      if (worker.coroutine.id() == injection_.cancelled_id()) cancelled(worker);
    }
  }

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injection_;
  Pool<Thing>* pool_ = nullptr;
  std::vector<Worker> workers_;
  std::vector<Worker*> queue_;
  std::size_t free_;
  bool noticed_ = false;
};

TEST(PoolModel, EveryResourceGoesToTheOldestWithACancellationAnywhere) {
  // R1 PO-01 PO-02 PO-03 CXL-05
  for_each_seed_and_cancellation_point(100,
                                       [](std::uint64_t seed, std::size_t at) { return FullPool(seed, at).run(); });
}

}  // namespace
}  // namespace trueasync::test
