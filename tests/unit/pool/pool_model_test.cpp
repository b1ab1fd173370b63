// Random use of a pool by seed, in random order, with a cancellation injected at each suspension, also of the
// background coroutines. Invariants: no resource is leased twice, no waiter waits forever, the counters agree, nothing
// leaks.
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
  bool is_healthy = true;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injection_(simulation_.runtime(), inject_at) {}

  // Returns the number of suspensions.
  std::size_t run() {
    simulation_.run([&] { main(); });
    expect_no_leaks(simulation_.runtime());
    EXPECT_TRUE(live_numbers_.empty()) << "resources not destroyed";
    EXPECT_EQ(simulation_.runtime().statistics().deadlocks, 0u);
    return injection_.suspensions();
  }

 private:
  PoolOptions<Tracked> options() {
    PoolOptions<Tracked> result;
    max_ = 1 + pick(3);
    result.factory = [this] { return make(); };
    result.destructor = [this](Tracked& tracked) { destroy(tracked); };
    result.max = max_;
    result.min = pick(static_cast<unsigned>(max_) + 1);
    result.max_creating = 1 + pick(2);
    result.backoff_initial = 1ms;
    result.backoff_max = 4ms;
    result.warm_up = WarmUp::background;
    result.order = pick(2) == 0 ? PoolOrder::lifo : PoolOrder::fifo;
    result.on_deactivate = pick(2) == 0 ? OnDeactivate::fail_waiters : OnDeactivate::keep_waiters;
    result.on_unwind = pick(3) == 0 ? OnUnwind::discard : OnUnwind::keep;
    result.on_error = [](const std::exception_ptr&) {};
    if (pick(2) == 0) result.max_lifetime = 5ms;
    if (pick(2) == 0) result.idle_timeout = 3ms;
    if (pick(3) == 0) {
      result.healthcheck = [this](Tracked& tracked) { return hook(tracked); };
      result.healthcheck_interval = 2ms;
    }
    if (pick(2) == 0) result.before_acquire = [this](Tracked& tracked) { return hook(tracked); };
    if (pick(2) == 0) result.before_release = [this](Tracked& tracked) { return hook(tracked); };
    result.seed = random_();
    return result;
  }

  void main() {
    pool_ = std::make_unique<Pool<Tracked>>(options());
    std::vector<Task<void>> workers;
    for (unsigned i = 2 + pick(4); i > 0; --i) {
      workers.push_back(spawn([this, calls = 1 + pick(4)] { work(calls); }));
      coroutines_.push_back(workers.back().coroutine());
    }
    for (unsigned rounds = pick(12); rounds > 0; --rounds) {
      disturb();
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
        use_resource();
      } catch (const PoolError&) {
      } catch (const TimeoutError&) {
      } catch (const ServiceUnavailableError&) {
      } catch (const std::runtime_error&) {
      }
      check();
    }
  }

  void use_resource() {
    auto lease = pick(2) == 0 ? pool_->acquire() : pool_->acquire(std::chrono::milliseconds(1 + pick(20)));
    EXPECT_FALSE(lease->in_use);
    EXPECT_TRUE(live_numbers_.contains(lease->number));
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
    maybe_suspend();
    EXPECT_TRUE(use.tracked.in_use);
    if (pick(6) == 0) lease->is_healthy = false;
    if (pick(6) == 0) lease.mark(ResourceState::broken);
    if (pick(6) == 0) throw std::runtime_error("holder");
  }

  std::unique_ptr<Tracked> make() {
    maybe_suspend();
    if (pick(4) == 0) throw std::runtime_error("refused");
    auto created = std::make_unique<Tracked>(Tracked{++last_});
    live_numbers_.insert(last_);
    EXPECT_LE(live_numbers_.size(), max_);
    return created;
  }

  void destroy(Tracked& tracked) {
    EXPECT_FALSE(tracked.in_use);
    maybe_suspend();
    EXPECT_EQ(live_numbers_.erase(tracked.number), 1u);
    if (pick(8) == 0) throw std::runtime_error("destructor");
  }

  bool hook(Tracked& tracked) {
    EXPECT_FALSE(tracked.in_use);
    maybe_suspend();
    if (pick(10) == 0) throw std::runtime_error("hook");
    return tracked.is_healthy && pick(8) != 0;
  }

  void disturb() {
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
    expect_consistent_counts(now);
    EXPECT_LE(now.total + now.creating, max_);
  }

  void maybe_suspend() {
    switch (pick(3)) {
      case 0:
        return yield();
      case 1:
        return delay(std::chrono::milliseconds(1 + pick(3)));
      default:
        return;
    }
  }

  unsigned pick(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injection_;
  std::unique_ptr<Pool<Tracked>> pool_;
  std::vector<Coroutine> coroutines_;
  std::set<int> live_numbers_;
  std::size_t max_ = 0;
  int last_ = 0;
};

// R1 R2 PO-02 PO-09 PO-27 CXL-05 XC-15
TEST(PoolModel, NoResourceIsLeasedTwiceOrLostWithInjectedCancellation) {
  for_each_seed_and_cancellation_point(60, [](std::uint64_t seed, std::size_t at) { return Scenario(seed, at).run(); });
}

// A pool in which all resources exist behaves as a semaphore: the model knows which waiter is granted next.
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
      Pool<Connection> pool(service.options(free_, free_));
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
      EXPECT_EQ(service.created, static_cast<int>(size));
      expect_consistent_counts(pool);
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
    apply_injected_cancellation();
    const bool is_free = free_ > 0;
    if (is_free) --free_;
    if (!is_free && !self.cancelled) {
      self.stage = Stage::waiting;
      queue_.push_back(&self);
    }
    try {
      auto lease = pool_->acquire();
      apply_injected_cancellation();
      EXPECT_EQ(self.stage, is_free ? Stage::idle : Stage::granted);
      self.stage = Stage::idle;
      if (pick(4) == 0) cancel_random_worker();
      struct ReleaseGuard {
        FullPool& model;
        Lease<Connection>& lease;
        ~ReleaseGuard() {
          model.apply_injected_cancellation();
          lease = {};
          model.grant_next();
        }
      } guard{*this, lease};
      for (unsigned rounds = pick(3); rounds > 0; --rounds) yield();
    } catch (const Cancelled&) {
      apply_injected_cancellation();
      EXPECT_TRUE(self.cancelled);
      EXPECT_EQ(self.stage, Stage::idle);
      throw;
    }
  }

  void grant_next() {
    if (queue_.empty()) {
      ++free_;
      return;
    }
    queue_.front()->stage = Stage::granted;
    queue_.erase(queue_.begin());
  }

  void cancel_random_worker() {
    Worker& other = workers_[pick(static_cast<unsigned>(workers_.size()))];
    other.coroutine.cancel();
    on_cancelled(other);
  }

  void on_cancelled(Worker& worker) {
    worker.cancelled = true;
    const Stage stage = std::exchange(worker.stage, Stage::idle);
    if (stage == Stage::waiting) queue_.erase(std::find(queue_.begin(), queue_.end(), &worker));
    if (stage == Stage::granted) grant_next();
  }

  void apply_injected_cancellation() {
    if (is_injection_applied_ || injection_.cancelled_id() == 0) return;
    is_injection_applied_ = true;
    for (Worker& worker : workers_) {
      if (worker.coroutine.id() == injection_.cancelled_id()) on_cancelled(worker);
    }
  }

  unsigned pick(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injection_;
  Pool<Connection>* pool_ = nullptr;
  std::vector<Worker> workers_;
  std::vector<Worker*> queue_;
  std::size_t free_;
  bool is_injection_applied_ = false;
};

// R1 PO-01 PO-02 PO-03 CXL-05
TEST(PoolModel, GrantsGoToOldestWaiterWithInjectedCancellation) {
  for_each_seed_and_cancellation_point(100,
                                       [](std::uint64_t seed, std::size_t at) { return FullPool(seed, at).run(); });
}

}  // namespace
}  // namespace trueasync::test
