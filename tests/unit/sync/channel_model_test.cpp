// Compares random calls on a channel with the model. Each seed runs once per suspension, with a cancellation there.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "channel_model.hpp"
#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/sync/channel.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

struct Worker {
  Coroutine coroutine;
  ModelCall* call = nullptr;  // the call in which it waits
  bool cancelled = false;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injector_(simulation_.runtime(), inject_at),
        capacity_(pick(4)),
        model_(capacity_) {}

  // Returns the number of suspensions.
  std::size_t run() {
    simulation_.run([&] { main(); });
    expect_no_leaks(simulation_.runtime());
    EXPECT_EQ(sent_, received_ + remaining_);
    return injector_.suspensions();
  }

 private:
  void main() {
    channel_ = std::make_unique<Channel<int>>(capacity_);
    workers_.resize(2 + pick(4));
    std::vector<Task<void>> tasks;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      tasks.push_back(spawn([this, i, calls = 1 + pick(5)] { work(workers_[i], calls); }));
      workers_[i].coroutine = tasks.back().coroutine();
    }
    for (unsigned yields = 5 + pick(20); yields > 0; --yields) yield();
    close();
    for (auto& task : tasks) {
      try {
        await(task);
      } catch (const Cancelled&) {
      }
    }
    apply_injected_cancellation();
    for (;;) {
      ModelCall call;
      const bool has_value = model_.try_receive(call) && call.expected == Expected::done;
      const auto value = channel_->try_recv();
      ASSERT_EQ(value.has_value(), has_value);
      if (!value) break;
      EXPECT_EQ(*value, call.value);
      remaining_.insert(*value);
    }
    channel_.reset();
  }

  void work(Worker& self, unsigned calls) {
    for (; calls > 0; --calls) {
      apply_injected_cancellation();
      switch (pick(16)) {
        case 0:
          cancel_random_worker();
          break;
        case 1:
          if (pick(4) == 0) close();
          break;
        case 2:
        case 3:
          yield();
          break;
        case 4:
          try_send();
          break;
        case 5:
          try_receive();
          break;
        case 6:
          receive_later();
          break;
        default:
          pick(2) == 0 ? send(self) : receive(self);
      }
    }
  }

  void send(Worker& self) {
    ModelCall call{.value = ++last_value_, .is_sender = true};
    perform(self, call, model_.try_send(call), [&] { channel_->send(call.value); });
  }

  void receive(Worker& self) {
    ModelCall call;
    int value = 0;
    perform(self, call, model_.try_receive(call), [&] { value = channel_->recv(); });
    if (call.expected != Expected::done) return;
    EXPECT_EQ(value, call.value);
    EXPECT_TRUE(received_.insert(value).second) << "received twice";
  }

  // Makes the real call and compares its result with the model. `is_immediate`: the model completed the call without
  // waiting.
  template <class F>
  void perform(Worker& self, ModelCall& call, bool is_immediate, F&& real) {
    if (!is_immediate && self.cancelled) {
      call.expected = Expected::cancelled;
    } else if (!is_immediate) {
      model_.wait(call);
      self.call = &call;
    }
    Expected result = Expected::done;
    try {
      real();
    } catch (const ChannelError&) {
      result = Expected::closed;
    } catch (const Cancelled&) {
      apply_injected_cancellation();
      self.call = nullptr;
      EXPECT_EQ(call.expected, Expected::cancelled);
      throw;
    }
    apply_injected_cancellation();
    self.call = nullptr;
    EXPECT_EQ(result, call.expected);
    if (result == Expected::done && call.is_sender) sent_.insert(call.value);
  }

  void try_send() {
    ModelCall call{.value = ++last_value_, .is_sender = true};
    const bool is_immediate = model_.try_send(call);
    try {
      EXPECT_EQ(channel_->try_send(call.value), is_immediate);
      if (is_immediate) sent_.insert(call.value);
    } catch (const ChannelError&) {
      EXPECT_EQ(call.expected, Expected::closed);
    }
  }

  void try_receive() {
    ModelCall call;
    const bool has_value = model_.try_receive(call) && call.expected == Expected::done;
    const auto value = channel_->try_recv();
    ASSERT_EQ(value.has_value(), has_value);
    if (!value) return;
    EXPECT_EQ(*value, call.value);
    EXPECT_TRUE(received_.insert(*value).second);
  }

  // A receive as a future, which is later destroyed or awaited.
  void receive_later() {
    struct PendingReceive {
      Scenario& scenario;
      ModelCall call = {};
      Future<int> future = {};
      ~PendingReceive() {
        if (!future) return;
        scenario.apply_injected_cancellation();
        scenario.model_.cancel(call);
      }
    } pending{*this};
    if (!model_.try_receive(pending.call)) model_.wait(pending.call);
    pending.future = channel_->recv_async();
    for (unsigned yields = pick(3); yields > 0; --yields) yield();
    if (pick(2) == 0) return;
    try {
      const int value = await(pending.future);
      apply_injected_cancellation();
      EXPECT_EQ(pending.call.expected, Expected::done);
      EXPECT_EQ(value, pending.call.value);
      EXPECT_TRUE(received_.insert(value).second) << "received twice";
    } catch (const ChannelError&) {
      apply_injected_cancellation();
      EXPECT_EQ(pending.call.expected, Expected::closed);
    }
    pending.future = {};
  }

  void close() {
    apply_injected_cancellation();
    model_.close();
    channel_->close();
  }

  void cancel_random_worker() {
    Worker& other = workers_[pick(static_cast<unsigned>(workers_.size()))];
    other.coroutine.cancel();
    on_cancelled(other);
  }

  void on_cancelled(Worker& worker) {
    worker.cancelled = true;
    if (worker.call) model_.cancel(*worker.call);
  }

  // Reports an injected cancellation to the model. No coroutine has run since the injection, so the channel has not
  // changed.
  void apply_injected_cancellation() {
    if (applied_ || injector_.cancelled_id() == 0) return;
    applied_ = true;
    for (Worker& worker : workers_) {
      if (worker.coroutine.id() == injector_.cancelled_id()) on_cancelled(worker);
    }
  }

  // A random number less than `bound`.
  unsigned pick(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  struct Values : std::set<int> {
    friend Values operator+(Values a, const Values& b) {
      a.insert(b.begin(), b.end());
      return a;
    }
  };

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injector_;
  std::size_t capacity_;
  ChannelModel model_;
  std::unique_ptr<Channel<int>> channel_;
  std::vector<Worker> workers_;
  Values sent_, received_, remaining_;
  int last_value_ = 0;
  bool applied_ = false;
};

// CH-01 CH-02 CH-03 CH-05 CH-06 CH-07 CH-08 CH-10 R1 CXL-05
TEST(ChannelModel, ResultsMatchModelWithCancellationAtEveryPoint) {
  for_each_seed_and_cancellation_point(200,
                                       [](std::uint64_t seed, std::size_t at) { return Scenario(seed, at).run(); });
}

}  // namespace
}  // namespace trueasync::test
