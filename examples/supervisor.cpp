// A process supervisor: starts programs again when they fail, with growing pauses, and stops them all on SIGTERM or
// SIGINT – gently first.
//
//   ./run examples/supervisor.cpp "web --port 80" "worker -v"     runs until it is told to stop
//   ./run examples/supervisor.cpp                                 shows itself on two small scripts, and ends
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

constexpr std::chrono::milliseconds kFirstPause = 20ms;
constexpr std::chrono::milliseconds kLongestPause = 30s;
constexpr std::chrono::milliseconds kSteady = 10s;  // who ran so long gets the first pause again
constexpr std::chrono::milliseconds kGrace = 5s;

void say(const Service& service, const std::string& what) {
  std::printf("%s: %s\n", service.name.c_str(), what.c_str());
  std::fflush(stdout);
}

std::string in_words(const ta::ExitStatus& status) {
  if (!status.known) return "ended, nobody knows how";
  if (status.signal != 0) return "killed by signal " + std::to_string(status.signal);
  return "exited with code " + std::to_string(status.code);
}

void stop(ta::Process& child, const Service& service) {
  child.kill(SIGTERM, ta::KillTarget::group);
  try {
    say(service, "stopped, " + in_words(child.wait(kGrace)));
  } catch (const ta::TimeoutError&) {
    child.kill(SIGKILL, ta::KillTarget::group);
    say(service, "had to be killed, " + in_words(child.wait()));
  }
}

int failures = 0;

// Until it succeeds, or this coroutine is cancelled – as the shutdown does.
void keep_running(const Service& service) {
  std::chrono::milliseconds pause = kFirstPause;
  while (true) {
    const auto start = std::chrono::steady_clock::now();
    ta::Process child = ta::Process::spawn({.argv = {"/bin/sh", "-c", service.command}});
    try {
      const ta::ExitStatus status = child.wait();
      if (status.is_success()) return say(service, "done");
      if (std::chrono::steady_clock::now() - start > kSteady) pause = kFirstPause;
      ++failures;
      say(service, in_words(status) + ", again in " + std::to_string(pause.count()) + " ms");
    } catch (const ta::Cancelled&) {
      stop(child, service);
      throw;
    }
    ta::delay(pause);
    pause = std::min(pause * 2, kLongestPause);
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
  std::puts("nothing is left running");
  return code;
}
