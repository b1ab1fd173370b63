// Compares random trees of scopes with a small reference model. The tests run in virtual time, so a seed always gives the
// same run. Each seed runs once without a cancellation, then once per suspension with a cancellation there.
#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/testing.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t next(std::uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 11) % bound;
  }

 private:
  std::uint64_t state_;
};

// Node: a scope and what the model expects of it.
struct Node {
  std::optional<Scope> scope;
  int parent = -1;
  bool supervised = false;
  bool cancelled = false;
  bool closed = false;
  int spawned = 0;
  int finished = 0;
  int errors_handled = 0;
  int finally_ran = 0;
  int finally_done = 0;
};

class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {}

  void run() {
    nodes_.reserve(kScopes);
    add(-1);
    for (int step = 0; step < kSteps; ++step) {
      random_action();
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
    node.supervised = parent < 0 || random_.next(3) == 0;
    nodes_.push_back(std::move(node));
    const std::size_t index = nodes_.size() - 1;
    if (nodes_[index].supervised) {
      nodes_[index].scope->set_exception_handler(
          [this, index](const std::exception_ptr&, const Coroutine&) { ++nodes_[index].errors_handled; });
    }
    nodes_[index].scope->finally([this, index] {
      ++nodes_[index].finally_ran;
      EXPECT_EQ(nodes_[index].spawned, nodes_[index].finished)
          << "finally handler ran before the last coroutine had finished";
      yield();
      ++nodes_[index].finally_done;
    });
  }

  std::size_t any_node() { return random_.next(nodes_.size()); }

  void random_action() {
    const std::size_t index = any_node();
    switch (random_.next(10)) {
      case 0:
        if (nodes_.size() < kScopes && !nodes_[index].scope->is_closed()) add(static_cast<int>(index));
        break;
      case 1:
        if (random_.next(3) == 0) cancel(index);
        break;
      case 2:
        if (random_.next(3) == 0) dispose_safely(index);
        break;
      case 3:
        delay(std::chrono::milliseconds(random_.next(4)));
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
    const auto kind = random_.next(4);
    const auto length = random_.next(5);
    try {
      ++node.spawned;
      node.scope->spawn([this, end = EndCounter(*this, index), kind, length] { work(kind, length); });
      EXPECT_FALSE(closed);
    } catch (const MisuseError&) {
      EXPECT_TRUE(closed);
    }
  }

  // EndCounter: counts the end of a coroutine. It is destroyed with the closure, even if the coroutine never started.
  class EndCounter {
   public:
    EndCounter(Model& model, std::size_t index) : model_(&model), index_(index) {}
    EndCounter(EndCounter&& other) noexcept : model_(std::exchange(other.model_, nullptr)), index_(other.index_) {}
    ~EndCounter() {
      if (model_) ++model_->nodes_[index_].finished;
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
      nodes_[index].scope->await_completion(timeout(std::chrono::milliseconds(random_.next(5))));
      EXPECT_TRUE(nodes_[index].scope->is_finished() || has_pending_finally(index));
    } catch (const OperationCancelled&) {
    } catch (const CompositeError&) {
    } catch (const std::runtime_error&) {
    }
  }

  void cancel(std::size_t index) {
    nodes_[index].scope->cancel();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_descendant(i, index)) {
        EXPECT_TRUE(nodes_[i].scope->is_cancelled()) << "child scope was not cancelled";
      }
    }
  }

  void dispose_safely(std::size_t index) {
    nodes_[index].scope->dispose_safely();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_descendant(i, index)) {
        EXPECT_TRUE(nodes_[i].scope->is_finished() && nodes_[i].scope->is_closed());
      }
    }
  }

  // The last zombie of a child scope may finish after the awaiter was woken and before it runs. The finally handlers of
  // that child scope then run in its parent, which is active again.
  bool has_pending_finally(std::size_t top) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const bool is_done = node.scope->is_closed() && node.spawned == node.finished;
      if (i != top && is_descendant(i, top) && is_done && node.finally_done == 0) return true;
    }
    return false;
  }

  bool is_descendant(std::size_t node, std::size_t top) const {
    for (int i = static_cast<int>(node); i >= 0; i = nodes_[static_cast<std::size_t>(i)].parent) {
      if (i == static_cast<int>(top)) return true;
    }
    return false;
  }

  void check() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      EXPECT_EQ(node.closed && !node.scope->is_closed(), false) << "a closed scope was reopened";
      EXPECT_EQ(node.cancelled && !node.scope->is_cancelled(), false);
      node.closed = node.scope->is_closed();
      node.cancelled = node.scope->is_cancelled();
      if (node.scope->is_cancelled()) {
        EXPECT_TRUE(node.closed);
      }
      if (!node.scope->is_finished() && node.parent >= 0) {
        EXPECT_FALSE(nodes_[static_cast<std::size_t>(node.parent)].scope->is_finished())
            << "an active child scope does not count";
      }
      EXPECT_LE(node.scope->size(), static_cast<std::size_t>(node.spawned) + nodes_.size());
    }
  }

  void check_end() {
    for (const Node& node : nodes_) {
      EXPECT_TRUE(node.scope->is_finished());
      EXPECT_EQ(node.scope->size(), 0u);
      EXPECT_EQ(node.finished, node.spawned);
      EXPECT_EQ(node.finally_ran, 1) << "finally handler did not run exactly once";
    }
  }

  RandomNumbers random_;
  std::vector<Node> nodes_;
};

// Runs a seed with a cancellation at suspension `cancel_at` (0: none). Returns the number of suspensions.
std::size_t run_seed(std::uint64_t seed, std::size_t cancel_at) {
  testing::Simulation simulation({.seed = seed, .order = testing::Order::random});
  CancelInjector injector(simulation.runtime(), cancel_at);
  Model model(seed);
  try {
    simulation.run([&] { model.run(); });
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  expect_no_leaks(simulation.runtime());
  return injector.suspensions();
}

// SC-01 SC-03 SC-08 SC-10 SC-14 CA-01 CA-04 CXL-01 CXL-03
TEST(ScopeModelTest, RandomTreesHoldInvariantsUnderCancellation) {
  for_each_seed_and_cancellation_point(40, &run_seed);
}

}  // namespace
}  // namespace trueasync::test
