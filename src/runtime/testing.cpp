// Implements trueasync/testing.hpp with the simulated reactor and seeded orders.
#include "trueasync/testing.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "reactor/sim/sim_reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/error.hpp"

namespace trueasync::testing {

namespace {

// splitmix64. Unlike the distributions of <random>, it gives the same sequence on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }

 private:
  std::uint64_t state_;
};

class SeededOrder final : public detail::ReadyOrder {
 public:
  explicit SeededOrder(const SimulationOptions& options) : kind_(options.order), random_(options.seed) {
    for (unsigned i = 1; i < options.depth; ++i) change_points_.push_back(random_.below(options.steps));
  }

  std::size_t pick(const detail::RingBuffer<detail::ControlBlock*>& queue) override {
    std::size_t position = 0;
    if (kind_ == Order::random) position = random_.below(queue.size());
    if (kind_ == Order::pct) position = pick_by_priority(queue);
    hash_ = (hash_ ^ queue.peek(position)->id) * 0x100000001b3ULL;
    ++step_;
    return position;
  }

  std::uint64_t hash() const noexcept { return hash_; }

 private:
  // Every coroutine has a fixed random priority. At a change point the selected coroutine gets the lowest priority.
  std::size_t pick_by_priority(const detail::RingBuffer<detail::ControlBlock*>& queue) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < queue.size(); ++i) {
      if (priority(queue.peek(i)->id) > priority(queue.peek(best)->id)) best = i;
    }
    if (std::find(change_points_.begin(), change_points_.end(), step_) != change_points_.end()) {
      priorities_[queue.peek(best)->id] = --lowest_;
    }
    return best;
  }
  std::int64_t priority(std::uint64_t id) {
    auto [found, is_new] = priorities_.try_emplace(id, 0);
    if (is_new) found->second = static_cast<std::int64_t>(random_.next() >> 2) + 1;
    return found->second;
  }

  Order kind_;
  Random random_;
  std::vector<std::uint64_t> change_points_;
  std::map<std::uint64_t, std::int64_t> priorities_;
  std::int64_t lowest_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

const SimulationOptions& checked(const SimulationOptions& options) {
  if (options.steps == 0) throw MisuseError("SimulationOptions::steps must be at least 1");
  return options;
}

}  // namespace

struct Simulation::State {
  explicit State(SimulationOptions options) : order(checked(options)) {
    auto created = std::make_unique<detail::SimReactor>();
    reactor = created.get();
    start = reactor->now();
    runtime = detail::Access::make_runtime(std::move(options.runtime), std::move(created));
    detail::Access::scheduler(*runtime).set_order(&order);
  }

  SeededOrder order;
  detail::SimReactor* reactor = nullptr;
  TimePoint start;
  std::unique_ptr<Runtime> runtime;
};

Simulation::Simulation(SimulationOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Simulation::~Simulation() = default;

Runtime& Simulation::runtime() noexcept { return *state_->runtime; }

std::chrono::nanoseconds Simulation::now() const noexcept { return state_->reactor->now() - state_->start; }

void Simulation::advance(std::chrono::nanoseconds by) noexcept { state_->reactor->advance(by); }

void Simulation::set_ready(int descriptor, Readiness readiness) {
  state_->reactor->set_ready(descriptor, static_cast<unsigned>(readiness));
}

void Simulation::clear_ready(int descriptor) { state_->reactor->set_ready(descriptor, 0); }

void Simulation::raise(int signal) { state_->reactor->raise(signal); }

std::uint64_t Simulation::schedule_hash() const noexcept { return state_->order.hash(); }

}  // namespace trueasync::testing
