// Random calls on a semaphore against a model, by seeds, with a cancellation at every suspension in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/semaphore.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

enum class Stage { idle, waiting, granted };

struct Worker {
  Coroutine coroutine;
  Stage stage = Stage::idle;  // of its acquire, as the model has it
  bool cancelled = false;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injection_(simulation_.runtime(), inject_at),
        permits_(1 + pick(3)),
        free_(permits_) {}

  std::size_t run() {
    simulation_.run([&] { main(); });
    expect_no_leaks(simulation_.runtime());
    return injection_.suspensions();
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
    notice_injection();
    EXPECT_EQ(semaphore.available(), permits_);  // every permit has come back
    EXPECT_EQ(free_, permits_);
  }

  void work(Worker& self, unsigned rounds) {
    for (; rounds > 0; --rounds) {
      notice_injection();
      if (pick(5) == 0) cancel_somebody();
      if (pick(4) == 0) {
        const bool is_free = free_ > 0;
        EXPECT_EQ(semaphore_->try_acquire(), is_free);
        if (!is_free) continue;
        --free_;
      } else {
        acquire(self);
      }
      struct GiveBack {
        Scenario& scenario;
        ~GiveBack() { scenario.release(); }
      } give_back{*this};
      for (unsigned turns = pick(3); turns > 0; --turns) yield();
    }
  }

  void acquire(Worker& self) {
    const bool at_once = free_ > 0;
    if (at_once) {
      --free_;
    } else if (!self.cancelled) {
      self.stage = Stage::waiting;
      queue_.push_back(&self);
    }
    try {
      semaphore_->acquire();
    } catch (const Cancelled&) {
      notice_injection();
      EXPECT_TRUE(self.cancelled);
      EXPECT_FALSE(at_once);
      EXPECT_EQ(self.stage, Stage::idle);
      throw;
    }
    notice_injection();
    EXPECT_EQ(self.stage, at_once ? Stage::idle : Stage::granted);
    self.stage = Stage::idle;
  }

  void release() {
    notice_injection();
    semaphore_->release();
    give_back();
  }

  void give_back() {
    if (queue_.empty()) {
      ++free_;
      return;
    }
    queue_.front()->stage = Stage::granted;
    queue_.pop_front();
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
  Semaphore* semaphore_ = nullptr;
  std::vector<Worker> workers_;
  std::deque<Worker*> queue_;
  std::size_t permits_;
  std::size_t free_;
  bool noticed_ = false;
};

TEST(SemaphoreModel, EveryPermitGoesToTheOldestAndComesBackWithACancellationAnywhere) {
  // R1 CXL-05 CH-10
  for_each_seed_and_cancellation_point(200,
                                       [](std::uint64_t seed, std::size_t at) { return Scenario(seed, at).run(); });
}

}  // namespace
}  // namespace trueasync::test
