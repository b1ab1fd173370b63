// Random trees of scopes against a small reference model, in virtual time: the same seed gives the same run. Each seed is
// run once as it is, and then with a cancellation at each of its suspensions in turn.
#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/testing.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 11) % bound;
  }

 private:
  std::uint64_t state_;
};

// The model: what must be true of scopes and coroutines whatever the order of events.
struct Node {
  std::optional<Scope> scope;
  int parent = -1;
  bool supervised = false;
  bool cancelled = false;
  bool closed = false;
  int spawned = 0;
  int ended = 0;
  int errors_heard = 0;
  int finally_ran = 0;
  int finally_over = 0;
};

class Model {
 public:
  explicit Model(std::uint64_t seed) : dice_(seed) {}

  void play() {
    nodes_.reserve(kScopes);
    add(-1);
    for (int step = 0; step < kSteps; ++step) {
      act();
      check();
    }
    for (Node& node : nodes_) node.scope->cancel();
    for (Node& node : nodes_) {
      node.scope->await_after_cancellation([](const std::exception_ptr&, const Coroutine&) {});
    }
    delay(1h);  // finally handlers
    check_end();
  }

 private:
  static constexpr int kScopes = 8;
  static constexpr int kSteps = 24;

  void add(int parent) {
    Node node;
    node.parent = parent;
    node.scope = parent < 0 ? Scope() : Scope::inherit(*nodes_[static_cast<std::size_t>(parent)].scope);
    node.supervised = parent < 0 || dice_.below(3) == 0;
    nodes_.push_back(std::move(node));
    const std::size_t index = nodes_.size() - 1;
    if (nodes_[index].supervised) {
      nodes_[index].scope->set_exception_handler(
          [this, index](const std::exception_ptr&, const Coroutine&) { ++nodes_[index].errors_heard; });
    }
    nodes_[index].scope->finally([this, index] {
      ++nodes_[index].finally_ran;
      EXPECT_EQ(nodes_[index].spawned, nodes_[index].ended) << "finally before the end";
      yield();
      ++nodes_[index].finally_over;
    });
  }

  std::size_t any() { return dice_.below(nodes_.size()); }

  void act() {
    const std::size_t index = any();
    switch (dice_.below(10)) {
      case 0:
        if (nodes_.size() < kScopes && !nodes_[index].scope->is_closed()) add(static_cast<int>(index));
        break;
      case 1:
        if (dice_.below(3) == 0) cancel(index);
        break;
      case 2:
        if (dice_.below(3) == 0) let_run(index);
        break;
      case 3:
        delay(std::chrono::milliseconds(dice_.below(4)));
        break;
      case 4:
        yield();
        break;
      case 5:
        await_some(index);
        break;
      default:
        spawn_in(index);
    }
  }

  void spawn_in(std::size_t index) {
    Node& node = nodes_[index];
    const bool closed = node.scope->is_closed();
    const auto kind = dice_.below(4);
    const auto length = dice_.below(5);
    try {
      ++node.spawned;
      node.scope->spawn([this, end = End(*this, index), kind, length] { work(kind, length); });
      EXPECT_FALSE(closed);
    } catch (const MisuseError&) {
      EXPECT_TRUE(closed);
    }
  }

  // Goes with the closure, whether the coroutine started or not.
  class End {
   public:
    End(Model& model, std::size_t index) : model_(&model), index_(index) {}
    End(End&& other) noexcept : model_(std::exchange(other.model_, nullptr)), index_(other.index_) {}
    ~End() {
      if (model_) ++model_->nodes_[index_].ended;
    }

   private:
    Model* model_;
    std::size_t index_;
  };

  void work(std::uint64_t kind, std::uint64_t length) {
    struct Cleanup {
      ~Cleanup() {
        if (std::uncaught_exceptions() != 0) yield();  // cleanup may suspend
      }
    } cleanup;
    for (std::uint64_t i = 0; i < length; ++i) {
      delay(std::chrono::milliseconds(1));
      yield();
    }
    if (kind == 1) throw std::runtime_error("model");
    if (kind == 2) protect([] { delay(1ms); });
    if (kind == 3) {
      TaskScope tasks;
      int done = 0;
      for (int i = 0; i < 2; ++i) {
        tasks.spawn([&done] {
          delay(1ms);
          ++done;
        });
      }
      tasks.join();
    }
  }

  void await_some(std::size_t index) {
    if (nodes_[index].scope->is_closed()) return;
    try {
      nodes_[index].scope->await_completion(timeout(std::chrono::milliseconds(dice_.below(5))));
      EXPECT_TRUE(nodes_[index].scope->is_finished() || has_cleanup_below(index));
    } catch (const OperationCancelled&) {
    } catch (const CompositeError&) {
    } catch (const std::runtime_error&) {
    }
  }

  void cancel(std::size_t index) {
    nodes_[index].scope->cancel();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_below(i, index)) {
        EXPECT_TRUE(nodes_[i].scope->is_cancelled()) << "cancelling goes down";
      }
    }
  }

  void let_run(std::size_t index) {
    nodes_[index].scope->dispose_safely();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_below(i, index)) {
        EXPECT_TRUE(nodes_[i].scope->is_finished() && nodes_[i].scope->is_closed());
      }
    }
  }

  // Between the end of the last active one and the turn of whoever awaited it the last zombie of a scope below may end:
  // that scope's finally handlers then run in its parent.
  bool has_cleanup_below(std::size_t top) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const bool is_over = node.scope->is_closed() && node.spawned == node.ended;
      if (i != top && is_below(i, top) && is_over && node.finally_over == 0) return true;
    }
    return false;
  }

  bool is_below(std::size_t at, std::size_t top) const {
    for (int i = static_cast<int>(at); i >= 0; i = nodes_[static_cast<std::size_t>(i)].parent) {
      if (i == static_cast<int>(top)) return true;
    }
    return false;
  }

  void check() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      EXPECT_EQ(node.closed && !node.scope->is_closed(), false) << "closed is for good";
      EXPECT_EQ(node.cancelled && !node.scope->is_cancelled(), false);
      node.closed = node.scope->is_closed();
      node.cancelled = node.scope->is_cancelled();
      if (node.scope->is_cancelled()) {
        EXPECT_TRUE(node.closed);
      }
      if (!node.scope->is_finished() && node.parent >= 0) {
        EXPECT_FALSE(nodes_[static_cast<std::size_t>(node.parent)].scope->is_finished()) << "activity below counts";
      }
      EXPECT_LE(node.scope->size(), static_cast<std::size_t>(node.spawned) + nodes_.size());
    }
  }

  void check_end() {
    for (const Node& node : nodes_) {
      EXPECT_TRUE(node.scope->is_finished());
      EXPECT_EQ(node.scope->size(), 0u);
      EXPECT_EQ(node.ended, node.spawned);
      EXPECT_EQ(node.finally_ran, 1) << "exactly once";
    }
  }

  Dice dice_;
  std::vector<Node> nodes_;
};

// The scenario of a seed with a cancellation at the n-th suspension (0: none). Returns how many there were.
std::size_t play(std::uint64_t seed, std::size_t at) {
  testing::Simulation simulation({.seed = seed, .order = testing::Order::random});
  CancelInjector injection(simulation.runtime(), at);
  Model model(seed);
  try {
    simulation.run([&] { model.play(); });
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  expect_no_leaks(simulation.runtime());
  return injection.suspensions();
}

TEST(ScopeModel, RandomTreesKeepTheirInvariantsWithACancellationAtEverySuspension) {
  // SC-01 SC-03 SC-08 SC-10 SC-14 CA-01 CA-04 CXL-01 CXL-03
  for_each_seed_and_cancellation_point(40, &play);
}

}  // namespace
}  // namespace trueasync::test
