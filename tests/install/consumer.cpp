// A first program of a user: spawns, waits and catches an exception of the library. It uses TLS, so that OpenSSL must be
// linked too.
#include <chrono>
#include <cstdio>
#include <trueasync/io/tls.hpp>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    auto slow = ta::spawn([] {
      ta::delay(5ms);
      return 2;
    });
    auto fast = ta::spawn([] { return 1; });
    auto broken = ta::spawn([]() -> int { throw ta::MisuseError("expected"); });
    int sum = ta::await(fast) + ta::await(slow);
    try {
      ta::await(broken);
    } catch (const ta::MisuseError&) {
      sum += 39;
    }
    const ta::TlsContext verifying = ta::TlsContext::client();
    std::printf("%d\n", sum);
  });
}
