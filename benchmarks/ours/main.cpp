// The TrueAsync program. It uses the public C++ headers, except for the raw switch and the timers.
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace {

namespace ours = bench::ours;

constexpr bench::Workload kWorkloads[] = {
    {"switch", ours::raw_switch, 0},
    {"yield-2", ours::yield, 2},
    {"yield-16", ours::yield, 16},
    {"yield-100", ours::yield, 100},
    {"yield-1000", ours::yield, 1000},
    {"yield-10000", ours::yield, 10'000},
    {"spawn", ours::spawn, 100},
    {"scope-cancel", ours::scope_cancel, 100},
    {"skynet", ours::skynet, 0},
    {"memory-1m", ours::memory, 1'000'000},
    {"sleep-100k", ours::sleep, 1},
    {"sleep-100k-x5", ours::sleep, 5},
    {"channel-0", ours::channel, 0},
    {"channel-128", ours::channel, 128},
    {"mutex", ours::mutex, 0},
    {"semaphore", ours::semaphore, 8},
    {"pool-1", ours::pool_alone, 0},
    {"pool-64", ours::pool_shared, 64},
    {"pool-waiters", ours::pool_waiters, 0},
    {"growth-spawn", ours::growth_spawn, 0},
    {"growth-yield", ours::growth_yield, 0},
    {"growth-timer", ours::growth_timer, 0},
    {"fan-out", ours::fan_out, 100},
    {"timer-cancel", ours::timer_cancel, 0},
    {"trigger", ours::trigger, 0},
    {"interpose", ours::interpose, 0},
    {"file-1m", ours::file, 1024 * 1024},
    {"file-64k", ours::file, 64 * 1024},
    {"pg", ours::postgres, 0},
    {"redis", ours::redis, 16},
    {"serve-echo", ours::serve_echo, 0},
    {"serve-http", ours::serve_http, 0},
};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
