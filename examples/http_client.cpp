// A concurrent HTTP client: many requests, at most so many at once, each with a deadline, and one for all of them.
//
//   ./run examples/http_client.cpp HOST PORT TARGET...
//
// Without arguments it asks a server of its own, some of whose answers are too slow.
// link: -lhttp_parser
#include <cstdio>
#include <cstdlib>
#include <string>
#include <trueasync/listener.hpp>
#include <trueasync/semaphore.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "http/client.hpp"
#include "http/server.hpp"

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kAtOnce = 4;
constexpr auto kPerRequest = 200ms;
constexpr auto kAltogether = 10s;

struct Job {
  std::string host;
  std::uint16_t port;
  std::string target;
};

std::string fetch(const Job& job) {
  try {
    ta::Io stream = ta::connect(job.host, job.port, {.timeout = kPerRequest});
    const http::Answer answer = http::Client(stream, job.host).fetch(job.target, kPerRequest);
    return std::to_string(answer.status) + ", " + std::to_string(answer.body.size()) + " bytes";
  } catch (const ta::TimeoutError&) {
    return "too slow";
  } catch (const ta::Error& error) {
    return error.what();
  }
}

void fetch_all(const std::vector<Job>& jobs) {
  ta::Semaphore permits(kAtOnce);
  std::size_t running = 0;
  std::size_t most = 0;
  ta::TaskScope fetching;  // ends before what its tasks use, also when the time is over
  std::vector<ta::Task<std::string>> tasks;
  for (const Job& job : jobs) {
    tasks.push_back(fetching.spawn([&] {
      const auto permit = permits.permit();
      most = std::max(most, ++running);
      const std::string result = fetch(job);
      --running;
      return result;
    }));
  }
  const ta::Timeout altogether(kAltogether);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::printf("%s: %s\n", jobs[i].target.c_str(), ta::await(tasks[i], altogether).c_str());
  }
  std::printf("%zu requests, at most %zu at once\n", jobs.size(), most);
}

void show() {
  ta::Listener listener = ta::listen(ta::Address::loopback(ta::AddressFamily::ipv4, 0));
  http::Server server([](const http::Request& request, http::Response& response) {
    if (request.target() == "/slow") ta::delay(1s);
    response.body = "answer to " + std::string(request.target());
  });
  ta::TaskScope accepting;
  accepting.spawn([&] { server.accept_from(listener); });
  std::vector<Job> jobs;
  for (int i = 0; i < 9; ++i) {
    jobs.push_back({"127.0.0.1", listener.local_address().port(), i == 4 ? "/slow" : "/" + std::to_string(i)});
  }
  fetch_all(jobs);
}

}  // namespace

int main(int count, char** words) {
  return ta::run([&] {
    if (count < 4) return show();
    std::vector<Job> jobs;
    for (int i = 3; i < count; ++i) {
      jobs.push_back({words[1], static_cast<std::uint16_t>(std::strtoul(words[2], nullptr, 10)), words[i]});
    }
    fetch_all(jobs);
  });
}
