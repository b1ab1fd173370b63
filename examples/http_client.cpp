// A concurrent HTTP client: a limit on concurrent requests, a timeout for each request and one for all of them.
//
//   ./run examples/http_client.cpp HOST PORT TARGET...
//
// Without arguments it runs a demo with its own server, one of whose responses is too slow.
// link: -lhttp_parser
#include <cstdio>
#include <cstdlib>
#include <string>
#include <trueasync/io/net.hpp>
#include <trueasync/sync/semaphore.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "http/client.hpp"
#include "http/server.hpp"

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMaxConcurrent = 4;
constexpr auto kRequestTimeout = 200ms;
constexpr auto kTotalTimeout = 10s;

struct Job {
  std::string host;
  std::uint16_t port;
  std::string target;
};

std::string fetch(const Job& job) {
  try {
    ta::Io stream = ta::connect(job.host, job.port, {}, kRequestTimeout);
    const http::ClientResponse response = http::Client(stream, job.host).fetch(job.target, kRequestTimeout);
    return std::to_string(response.status) + ", " + std::to_string(response.body.size()) + " bytes";
  } catch (const ta::TimeoutError&) {
    return "timed out";
  } catch (const ta::Error& error) {
    return error.what();
  }
}

void fetch_all(const std::vector<Job>& jobs) {
  ta::Semaphore permits(kMaxConcurrent);
  std::size_t running = 0;
  std::size_t max_running = 0;
  ta::TaskScope fetching;  // its tasks finish before the variables above are destroyed
  std::vector<ta::Task<std::string>> tasks;
  for (const Job& job : jobs) {
    tasks.push_back(fetching.spawn([&] {
      const auto permit = permits.permit();
      max_running = std::max(max_running, ++running);
      const std::string result = fetch(job);
      --running;
      return result;
    }));
  }
  const ta::Timeout total(kTotalTimeout);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::printf("%s: %s\n", jobs[i].target.c_str(), ta::await(tasks[i], total).c_str());
  }
  std::printf("%zu requests, at most %zu concurrently\n", jobs.size(), max_running);
}

void run_demo() {
  ta::Listener listener = ta::listen(ta::Address::loopback(ta::AddressFamily::ipv4, 0));
  http::Server server([](const http::Request& request, http::Response& response) {
    if (request.target() == "/slow") ta::delay(1s);
    response.body = "response to " + std::string(request.target());
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

int main(int count, char** arguments) {
  return ta::run([&] {
    if (count < 4) return run_demo();
    std::vector<Job> jobs;
    for (int i = 3; i < count; ++i) {
      jobs.push_back({arguments[1], static_cast<std::uint16_t>(std::strtoul(arguments[2], nullptr, 10)), arguments[i]});
    }
    fetch_all(jobs);
  });
}
