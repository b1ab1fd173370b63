// Checks invariants of a task set in random programs. The tests run in virtual time, so a seed always gives the same run.
// Each program runs once without a cancellation, then once per suspension with a cancellation there.
#include <map>
#include <random>
#include <set>

#include "support/cancel_injector.hpp"
#include "support/reactor_test.hpp"
#include "support/seeds.hpp"
#include "trueasync/scope/task_group.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Program: the actions of all coroutines. They are drawn from the seed before the run, so that an injected cancellation
// does not change them.
struct Program {
  enum class Kind { value, error, value_later, error_later };
  struct Task {
    Kind kind;
    int delay_us;
  };

  explicit Program(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto draw = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    options.concurrency = static_cast<std::size_t>(1 + draw(3));
    options.queue_limit = static_cast<std::size_t>(1 + draw(3));
    for (int spawner = 1 + draw(3); spawner > 0; --spawner) {
      spawners.emplace_back();
      for (int count = draw(5); count > 0; --count) {
        spawners.back().push_back(Task{static_cast<Kind>(draw(4)), draw(300)});
      }
    }
    joiners = draw(3);
    joins = 1 + draw(4);
  }

  TaskGroupOptions options;
  std::vector<std::vector<Task>> spawners;
  int joiners;
  int joins;
};

// Model: the expected and observed state of each task.
struct Model {
  struct Task {
    Program::Task program;
    bool submitted = false;  // spawn was called
    bool accepted = false;   // spawn returned
    bool rejected = false;   // spawn threw
    int runs = 0;
    int deliveries = 0;
    bool cancelled = false;  // while it ran
  };
  std::map<int, Task> tasks;
  std::vector<int> submitted;  // in FIFO order
  std::vector<int> started;
  int running = 0;
};

int run_task(Model& model, const Program& program, int key) {
  Model::Task& task = model.tasks[key];
  ++task.runs;
  model.started.push_back(key);
  EXPECT_LE(static_cast<std::size_t>(++model.running), program.options.concurrency);
  struct RunningGuard {
    int& running;
    ~RunningGuard() { --running; }
  } guard{model.running};
  try {
    if (task.program.kind >= Program::Kind::value_later) delay(std::chrono::microseconds(task.program.delay_us));
  } catch (const Cancelled&) {
    task.cancelled = true;
    throw;
  }
  if (task.program.kind == Program::Kind::error || task.program.kind == Program::Kind::error_later) {
    throw std::runtime_error(std::to_string(key));
  }
  return key * 10;
}

void check_delivery(Model& model, const TaskResult<int, int>& entry) {
  Model::Task& task = model.tasks[entry.key];
  EXPECT_EQ(++task.deliveries, 1) << "key " << entry.key;
  const bool expects_value =
      task.program.kind == Program::Kind::value || task.program.kind == Program::Kind::value_later;
  if (entry.result) {
    EXPECT_TRUE(expects_value);
    EXPECT_EQ(entry.result.value(), entry.key * 10);
    return;
  }
  try {
    std::rethrow_exception(entry.result.error());
  } catch (const std::runtime_error& error) {
    EXPECT_FALSE(expects_value);
    EXPECT_EQ(error.what(), std::to_string(entry.key));
  } catch (const Cancelled&) {
    EXPECT_TRUE(task.cancelled || task.runs == 0);
  }
}

void spawn_all(TaskSet<int, int>& set, Model& model, const Program& program, std::size_t spawner) {
  for (std::size_t i = 0; i < program.spawners[spawner].size(); ++i) {
    const int key = static_cast<int>(spawner * 100 + i);
    Model::Task& task = model.tasks[key];
    task.program = program.spawners[spawner][i];
    task.submitted = true;
    model.submitted.push_back(key);
    try {
      set.spawn_with_key(key, [&model, &program, key] { return run_task(model, program, key); });
      task.accepted = true;
    } catch (...) {
      task.rejected = true;
      throw;
    }
  }
}

void run_program(const Program& program, Model& model) {
  TaskSet<int, int> set(program.options);
  std::vector<trueasync::Task<void>> coroutines;
  for (std::size_t spawner = 0; spawner < program.spawners.size(); ++spawner) {
    coroutines.push_back(spawn([&, spawner] { spawn_all(set, model, program, spawner); }));
  }
  for (int joiner = 0; joiner < program.joiners; ++joiner) {
    coroutines.push_back(spawn([&] {
      for (int i = 0; i < program.joins; ++i) {
        auto entry = set.next();
        if (!entry) return;
        check_delivery(model, *entry);
      }
    }));
  }
  for (std::size_t spawner = 0; spawner < program.spawners.size(); ++spawner)
    await_all(std::span(&coroutines[spawner], 1));
  set.close();
  while (auto entry = set.next()) check_delivery(model, *entry);
  EXPECT_EQ(set.count(), 0u);
  await_all(coroutines);
}

void check_end(const Model& model) {
  std::vector<int> expected_starts;
  for (int key : model.submitted) {
    const Model::Task& task = model.tasks.at(key);
    EXPECT_TRUE(task.accepted != task.rejected) << "key " << key;
    // An accepted task is delivered exactly once; a rejected task never ran.
    EXPECT_EQ(task.deliveries, task.accepted ? 1 : 0) << "key " << key;
    EXPECT_LE(task.runs, task.accepted ? 1 : 0) << "key " << key;
    if (task.runs != 0) expected_starts.push_back(key);
  }
  EXPECT_EQ(model.started.size(), expected_starts.size());
  EXPECT_EQ(model.running, 0);
}

// Returns the number of suspensions.
std::size_t run_once(std::uint64_t seed, testing::Order order, std::size_t cancel_at) {
  const Program program(seed);
  Model model;
  testing::Simulation simulation({.seed = seed, .order = order});
  std::size_t suspensions = 0;
  {
    CancelInjector injector(simulation.runtime(), cancel_at);
    simulation.run([&] { run_program(program, model); });
    suspensions = injector.suspensions();
  }
  check_end(model);
  if (order == testing::Order::fifo) {  // tasks start in the order of their submission
    std::vector<int> expected;
    for (int key : model.submitted) {
      if (model.tasks.at(key).runs != 0) expected.push_back(key);
    }
    EXPECT_EQ(model.started, expected);
  }
  expect_no_leaks(simulation.runtime());
  return suspensions;
}

// R1 R4 SC-11 SC-12 SC-15 CA-04
TEST(TaskSetModelTest, RandomProgramsHoldInvariantsUnderCancellation) {
  for (testing::Order order : {testing::Order::fifo, testing::Order::random}) {
    for_each_seed_and_cancellation_point(60,
                                         [=](std::uint64_t seed, std::size_t at) { return run_once(seed, order, at); });
  }
}

}  // namespace
}  // namespace trueasync::test
