// Name resolution: ./run examples/resolve.cpp HOST... Without a host it resolves two numeric addresses and an invalid
// name.
#include <cstdio>
#include <string>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  return ta::run([&] {
    std::vector<std::string> hosts(argv + 1, argv + argc);
    if (hosts.empty()) hosts = {"127.0.0.1", "::1", "a..b"};
    for (const std::string& host : hosts) {
      try {
        for (const ta::Address& address : ta::resolve(host, 80, {}, 5s)) {
          std::printf("%s: %s\n", host.c_str(), address.to_string().c_str());
        }
      } catch (const ta::DnsError& error) {
        std::printf("%s\n", error.what());
      } catch (const ta::TimeoutError&) {
        std::printf("%s: timed out\n", host.c_str());
      }
    }
  });
}
