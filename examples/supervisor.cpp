// A process supervisor: restarts programs that fail, with exponential backoff, and stops all of them on SIGTERM or SIGINT
// (SIGTERM first, SIGKILL after a grace period).
//
//   ./run examples/supervisor.cpp "web --port 80" "worker -v"     runs until a signal
//   ./run examples/supervisor.cpp                                 runs a demo with two small scripts
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

struct Service {
  std::string name;
  std::string command;
};

constexpr std::chrono::milliseconds kInitialBackoff = 20ms;
constexpr std::chrono::milliseconds kMaxBackoff = 30s;
constexpr std::chrono::milliseconds kStableTime = 10s;  // a run of this length resets the backoff
constexpr std::chrono::milliseconds kGracePeriod = 5s;

void log(const Service& service, const std::string& text) {
  std::printf("%s: %s\n", service.name.c_str(), text.c_str());
  std::fflush(stdout);
}

std::string to_text(const ta::ExitStatus& status) {
  if (!status.known) return "exited with unknown status";
  if (status.signal != 0) return "killed by signal " + std::to_string(status.signal);
  return "exited with code " + std::to_string(status.code);
}

void stop(ta::Process& child, const Service& service) {
  child.kill(SIGTERM, ta::KillTarget::group);
  try {
    log(service, "stopped, " + to_text(child.wait(kGracePeriod)));
  } catch (const ta::TimeoutError&) {
    child.kill(SIGKILL, ta::KillTarget::group);
    log(service, "killed, " + to_text(child.wait()));
  }
}

int failures = 0;

// Returns when the program succeeds. A shutdown cancels this coroutine.
void keep_running(const Service& service) {
  std::chrono::milliseconds backoff = kInitialBackoff;
  while (true) {
    const auto start = std::chrono::steady_clock::now();
    ta::Process child = ta::Process::spawn({.argv = {"/bin/sh", "-c", service.command}});
    try {
      const ta::ExitStatus status = child.wait();
      if (status.is_success()) return log(service, "done");
      if (std::chrono::steady_clock::now() - start > kStableTime) backoff = kInitialBackoff;
      ++failures;
      log(service, to_text(status) + ", restart in " + std::to_string(backoff.count()) + " ms");
    } catch (const ta::Cancelled&) {
      stop(child, service);
      throw;
    }
    ta::delay(backoff);
    backoff = std::min(backoff * 2, kMaxBackoff);
  }
}

void supervise(const std::vector<Service>& services) {
  std::vector<ta::Task<void>> tasks;
  for (const Service& service : services) {
    tasks.push_back(ta::spawn({.name = service.name}, [service] { keep_running(service); }));
  }
  for (const auto& task : tasks) ta::await(task);
}

void demonstrate() {
  const std::vector<Service> services = {
      {"flaky", "exit 3"},
      {"steady", "trap 'exit 0' TERM; while :; do sleep 0.01; done"},
  };
  ta::spawn([] {
    while (failures < 2) ta::delay(1ms);
    ::kill(::getpid(), SIGTERM);
  });
  supervise(services);
}

}  // namespace

int main(int argc, char** argv) {
  ta::RuntimeOptions options;
  options.shutdown_signals = {SIGINT, SIGTERM};
  const int code = ta::run(options, [&] {
    std::vector<Service> services;
    for (int i = 1; i < argc; ++i) services.push_back({"#" + std::to_string(i), argv[i]});
    services.empty() ? demonstrate() : supervise(services);
  });
  std::puts("all programs have ended");
  return code;
}
