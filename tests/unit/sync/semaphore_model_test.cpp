// Compares random calls on a semaphore with a model. Each seed runs once per suspension, with a cancellation there.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/sync/semaphore.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

enum class Stage { idle, waiting, granted };

struct Worker {
  Coroutine coroutine;
  Stage stage = Stage::idle;  // of its acquire() in the model
  bool cancelled = false;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injector_(simulation_.runtime(), inject_at),
        permits_(1 + pick(3)),
        free_(permits_) {}

  std::size_t run() {
    simulation_.run([&] { main(); });
    expect_no_leaks(simulation_.runtime());
    return injector_.suspensions();
  }

 private:
  void main() {
    Semaphore semaphore(permits_);
    semaphore_ = &semaphore;
    workers_.resize(2 + pick(5));
    std::vector<Task<void>> tasks;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      tasks.push_back(spawn([this, i, rounds = 1 + pick(4)] { work(workers_[i], rounds); }));
      workers_[i].coroutine = tasks.back().coroutine();
    }
    for (auto& task : tasks) {
      try {
        await(task);
      } catch (const Cancelled&) {
      }
    }
    apply_injected_cancellation();
    EXPECT_EQ(semaphore.available(), permits_);  // no permit is lost
    EXPECT_EQ(free_, permits_);
  }

  void work(Worker& self, unsigned rounds) {
    for (; rounds > 0; --rounds) {
      apply_injected_cancellation();
      if (pick(5) == 0) cancel_random_worker();
      if (pick(4) == 0) {
        const bool is_free = free_ > 0;
        EXPECT_EQ(semaphore_->try_acquire(), is_free);
        if (!is_free) continue;
        --free_;
      } else {
        acquire(self);
      }
      struct ReleaseGuard {
        Scenario& scenario;
        ~ReleaseGuard() { scenario.release(); }
      } guard{*this};
      for (unsigned yields = pick(3); yields > 0; --yields) yield();
    }
  }

  void acquire(Worker& self) {
    const bool is_immediate = free_ > 0;
    if (is_immediate) {
      --free_;
    } else if (!self.cancelled) {
      self.stage = Stage::waiting;
      queue_.push_back(&self);
    }
    try {
      semaphore_->acquire();
    } catch (const Cancelled&) {
      apply_injected_cancellation();
      EXPECT_TRUE(self.cancelled);
      EXPECT_FALSE(is_immediate);
      EXPECT_EQ(self.stage, Stage::idle);
      throw;
    }
    apply_injected_cancellation();
    EXPECT_EQ(self.stage, is_immediate ? Stage::idle : Stage::granted);
    self.stage = Stage::idle;
  }

  void release() {
    apply_injected_cancellation();
    semaphore_->release();
    release_in_model();
  }

  // Grants the permit to the oldest waiter.
  void release_in_model() {
    if (queue_.empty()) {
      ++free_;
      return;
    }
    queue_.front()->stage = Stage::granted;
    queue_.pop_front();
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
    if (stage == Stage::granted) release_in_model();
  }

  // Reports an injected cancellation to the model. No coroutine has run since the injection.
  void apply_injected_cancellation() {
    if (applied_ || injector_.cancelled_id() == 0) return;
    applied_ = true;
    for (Worker& worker : workers_) {
      if (worker.coroutine.id() == injector_.cancelled_id()) on_cancelled(worker);
    }
  }

  // A random number less than `bound`.
  unsigned pick(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injector_;
  Semaphore* semaphore_ = nullptr;
  std::vector<Worker> workers_;
  std::deque<Worker*> queue_;
  std::size_t permits_;
  std::size_t free_;
  bool applied_ = false;
};

// R1 CXL-05 CH-10
TEST(SemaphoreModel, GrantsMatchModelWithCancellationAtEveryPoint) {
  for_each_seed_and_cancellation_point(200,
                                       [](std::uint64_t seed, std::size_t at) { return Scenario(seed, at).run(); });
}

}  // namespace
}  // namespace trueasync::test
