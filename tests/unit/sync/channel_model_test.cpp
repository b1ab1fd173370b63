// Random calls on a channel against the model, by seeds, with a cancellation at every suspension in turn.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "channel_model.hpp"
#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/channel.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

struct Worker {
  Coroutine coroutine;
  ModelCall* call = nullptr;  // the one it waits in
  bool cancelled = false;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, std::size_t inject_at)
      : random_(seed),
        simulation_({.seed = seed, .order = testing::Order::random}),
        injection_(simulation_.runtime(), inject_at),
        capacity_(pick(4)),
        model_(capacity_) {}

  // How many suspensions there were.
  std::size_t run() {
    simulation_.run([&] { main(); });
    expect_no_leaks(simulation_.runtime());
    EXPECT_EQ(sent_, received_ + left_);
    return injection_.suspensions();
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
    for (unsigned turns = 5 + pick(20); turns > 0; --turns) yield();
    close();
    for (auto& task : tasks) {
      try {
        await(task);
      } catch (const Cancelled&) {
      }
    }
    notice_injection();
    for (;;) {
      ModelCall call;
      const bool is_there = model_.try_receive(call) && call.expected == Expected::done;
      const auto value = channel_->try_recv();
      ASSERT_EQ(value.has_value(), is_there);
      if (!value) break;
      EXPECT_EQ(*value, call.value);
      left_.insert(*value);
    }
    channel_.reset();
  }

  void work(Worker& self, unsigned calls) {
    for (; calls > 0; --calls) {
      notice_injection();
      switch (pick(16)) {
        case 0:
          cancel_somebody();
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

  // The call as the model has it: what it ends with, and whether it waits at all.
  template <class F>
  void perform(Worker& self, ModelCall& call, bool at_once, F&& real) {
    if (!at_once && self.cancelled) {
      call.expected = Expected::cancelled;
    } else if (!at_once) {
      model_.wait(call);
      self.call = &call;
    }
    Expected end = Expected::done;
    try {
      real();
    } catch (const ChannelError&) {
      end = Expected::closed;
    } catch (const Cancelled&) {
      notice_injection();
      self.call = nullptr;
      EXPECT_EQ(call.expected, Expected::cancelled);
      throw;
    }
    notice_injection();
    self.call = nullptr;
    EXPECT_EQ(end, call.expected);
    if (end == Expected::done && call.is_sender) sent_.insert(call.value);
  }

  void try_send() {
    ModelCall call{.value = ++last_value_, .is_sender = true};
    const bool at_once = model_.try_send(call);
    try {
      EXPECT_EQ(channel_->try_send(call.value), at_once);
      if (at_once) sent_.insert(call.value);
    } catch (const ChannelError&) {
      EXPECT_EQ(call.expected, Expected::closed);
    }
  }

  void try_receive() {
    ModelCall call;
    const bool is_there = model_.try_receive(call) && call.expected == Expected::done;
    const auto value = channel_->try_recv();
    ASSERT_EQ(value.has_value(), is_there);
    if (!value) return;
    EXPECT_EQ(*value, call.value);
    EXPECT_TRUE(received_.insert(*value).second);
  }

  // A receive in which nobody is suspended: dropped or awaited some time later.
  void receive_later() {
    struct Later {
      Scenario& scenario;
      ModelCall call = {};
      Future<int> future = {};
      ~Later() {
        if (!future) return;
        scenario.notice_injection();
        scenario.model_.cancel(call);
      }
    } later{*this};
    if (!model_.try_receive(later.call)) model_.wait(later.call);
    later.future = channel_->recv_async();
    for (unsigned turns = pick(3); turns > 0; --turns) yield();
    if (pick(2) == 0) return;
    try {
      const int value = await(later.future);
      notice_injection();
      EXPECT_EQ(later.call.expected, Expected::done);
      EXPECT_EQ(value, later.call.value);
      EXPECT_TRUE(received_.insert(value).second) << "received twice";
    } catch (const ChannelError&) {
      notice_injection();
      EXPECT_EQ(later.call.expected, Expected::closed);
    }
    later.future = {};
  }

  void close() {
    notice_injection();
    model_.close();
    channel_->close();
  }

  void cancel_somebody() {
    Worker& other = workers_[pick(static_cast<unsigned>(workers_.size()))];
    other.coroutine.cancel();
    cancelled(other);
  }

  void cancelled(Worker& worker) {
    worker.cancelled = true;
    if (worker.call) model_.cancel(*worker.call);
  }

  // Nothing has happened to the channel since: nobody has run.
  void notice_injection() {
    if (noticed_ || injection_.cancelled_id() == 0) return;
    noticed_ = true;
    for (Worker& worker : workers_) {
      if (worker.coroutine.id() == injection_.cancelled_id()) cancelled(worker);
    }
  }

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  struct Values : std::set<int> {
    friend Values operator+(Values a, const Values& b) {
      a.insert(b.begin(), b.end());
      return a;
    }
  };

  std::mt19937_64 random_;
  testing::Simulation simulation_;
  CancelInjector injection_;
  std::size_t capacity_;
  ChannelModel model_;
  std::unique_ptr<Channel<int>> channel_;
  std::vector<Worker> workers_;
  Values sent_, received_, left_;
  int last_value_ = 0;
  bool noticed_ = false;
};

TEST(ChannelModel, EveryCallEndsAsTheModelSaysWithACancellationAnywhere) {
  // CH-01 CH-02 CH-03 CH-05 CH-06 CH-07 CH-08 CH-10 R1 CXL-05
  for_each_seed_and_cancellation_point(200,
                                       [](std::uint64_t seed, std::size_t at) { return Scenario(seed, at).run(); });
}

}  // namespace
}  // namespace trueasync::test
