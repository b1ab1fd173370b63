// Random programs of spawn, yield, delay, await and cancel, checked against a model. They run on the simulated reactor
// with fixed seeds and with every order of the ready queue.
#include <random>

#include "scheduler_fixture.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// The expected result of a coroutine. It depends on the seed only.
std::uint64_t model(std::uint64_t seed) { return seed * 0x9e3779b97f4a7c15ULL ^ (seed >> 7); }

struct Totals {
  std::uint64_t spawned = 0;
  std::uint64_t correct = 0;
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t timed_out = 0;
  int live = 0;  // coroutine functions on the stack
};

struct ModelError {
  std::uint64_t seed;
};

struct LiveGuard {
  explicit LiveGuard(Totals& totals_) : totals(totals_) { ++totals.live; }
  ~LiveGuard() { --totals.live; }
  Totals& totals;
};

bool fails(std::uint64_t seed) { return model(seed) % 11 == 0; }

void suspend_randomly(std::mt19937_64& random) {
  switch (random() % 4) {
    case 0:
      return yield();
    case 1:
      return delay(std::chrono::microseconds(random() % 2000));
    case 2:
      return queue_microtask([] {});
    default:
      return;
  }
}

// Awaits the child and compares its result with the model.
void check_child(const Task<std::uint64_t>& child, std::uint64_t seed, bool was_cancelled, Totals& totals,
                 std::mt19937_64& random) {
  try {
    if (random() % 4 == 0) {
      EXPECT_EQ(await(child, timeout(std::chrono::microseconds(1 + random() % 500))), model(seed));
    } else {
      EXPECT_EQ(await(child), model(seed));
    }
    EXPECT_FALSE(fails(seed));
    ++totals.correct;
  } catch (const OperationCancelled&) {
    ++totals.timed_out;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.seed, seed);
    EXPECT_TRUE(fails(seed));
    ++totals.failed;
  } catch (const Cancelled&) {
    if (current_coroutine().is_cancellation_requested()) throw;  // this coroutine is cancelled
    EXPECT_TRUE(was_cancelled);
    EXPECT_TRUE(child.is_cancelled());
    ++totals.cancelled;
  }
}

// The function of every coroutine. Spawns, cancels and awaits children.
std::uint64_t run_node(std::uint64_t seed, int depth, Totals& totals) {
  LiveGuard guard(totals);
  std::mt19937_64 random(seed);
  struct Child {
    Task<std::uint64_t> task;
    std::uint64_t seed;
    bool cancelled = false;
  };
  std::vector<Child> children;
  const std::size_t count = depth == 0 ? 0 : random() % 5;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t child_seed = seed * 31 + i + 1;
    SpawnOptions options;
    if (random() % 5 == 0) options.priority = Priority::high;
    ++totals.spawned;
    children.push_back({spawn(options, [=, &totals] { return run_node(child_seed, depth - 1, totals); }), child_seed});
    suspend_randomly(random);
    if (random() % 6 == 0) {
      Child& victim = children[random() % children.size()];
      if (!victim.task.is_finished()) victim.cancelled = victim.task.cancel();
    }
  }
  std::shuffle(children.begin(), children.end(), random);
  for (Child& child : children) {
    suspend_randomly(random);
    if (random() % 8 != 0) check_child(child.task, child.seed, child.cancelled, totals, random);
  }
  suspend_randomly(random);
  if (fails(seed)) throw ModelError{seed};
  return model(seed);
}

void run_model(std::uint64_t seed, testing::Order order, Totals& totals) {
  testing::SimulationOptions options;
  options.seed = seed;
  options.order = order;
  // Some children are not awaited, so their errors are unhandled.
  options.runtime.on_unhandled = [](const Coroutine&, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const ModelError& failed) {
      return fails(failed.seed);
    } catch (...) {
      return false;
    }
  };
  testing::Simulation simulation(options);
  simulation.run([&] {
    std::mt19937_64 random(seed);
    for (std::uint64_t i = 0; i < 4; ++i) {
      auto root = spawn([&, i] { return run_node(seed * 1000 + i, 4, totals); });
      ++totals.spawned;
      check_child(root, seed * 1000 + i, false, totals, random);
    }
  });
  EXPECT_EQ(totals.live, 0) << "seed " << seed;
  EXPECT_EQ(simulation.runtime().statistics().spawned, simulation.runtime().statistics().finished) << "seed " << seed;
  EXPECT_EQ(simulation.runtime().statistics().deadlocks, 0u) << "seed " << seed;
  expect_no_leaks(simulation.runtime());
}

#if defined(__SANITIZE_THREAD__)
constexpr bool kSlowSwitches = true;  // ThreadSanitizer creates a fiber for each coroutine
#else
constexpr bool kSlowSwitches = false;
#endif

class ModelStress : public ::testing::TestWithParam<testing::Order> {};

// SHU-03 R4 TE-03
TEST_P(ModelStress, AwaitedResultsMatchModelWithoutLeaks) {
  const std::uint64_t seeds = kSlowSwitches || detail::running_on_valgrind() ? 20 : 200;
  Totals totals;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) run_model(seed, GetParam(), totals);
  // Every kind of outcome must have occurred.
  EXPECT_GT(totals.correct, seeds);
  EXPECT_GT(totals.failed, 0u);
  EXPECT_GT(totals.cancelled, 0u);
  EXPECT_GT(totals.timed_out, 0u);
}

INSTANTIATE_TEST_SUITE_P(Orders, ModelStress,
                         ::testing::Values(testing::Order::fifo, testing::Order::random, testing::Order::pct),
                         [](const auto& order) {
                           return order.param == testing::Order::fifo     ? "Fifo"
                                  : order.param == testing::Order::random ? "Random"
                                                                          : "Pct";
                         });

}  // namespace
}  // namespace trueasync::test
