#include "fake_resolver.hpp"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>

#include <cstdio>
#include <cstring>
#include <semaphore>
#include <string_view>

namespace trueasync::test {
namespace {

std::counting_semaphore<> unblocked{0};

// For numeric hosts and localhost only: the real function does not query a server for these, and freeaddrinfo() can free
// the result.
int real_getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto kReal = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return kReal(host, service, hints, result);
}

}  // namespace

void FakeResolver::unblock(int count) { unblocked.release(count); }

}  // namespace trueasync::test

using trueasync::test::FakeResolver;

extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) {
  ++FakeResolver::calls;
  const std::string_view name = host;
  if (name == "slow.test") {
    ++FakeResolver::blocked;
    trueasync::test::unblocked.acquire();
    --FakeResolver::blocked;
    return trueasync::test::real_getaddrinfo("10.0.0.9", service, hints, result);
  }
  if (name == "again.test") return EAI_AGAIN;
  if (name == "localhost") return trueasync::test::real_getaddrinfo(host, service, hints, result);
  const bool is_local = name == "local.test";
  if (!is_local && name != "a.test") return EAI_NONAME;
  const char* first = is_local ? "127.0.0.2" : "10.0.0.1";
  const char* second = is_local ? "127.0.0.1" : "10.0.0.2";
  if (int code = trueasync::test::real_getaddrinfo(first, service, hints, result)) return code;
  return trueasync::test::real_getaddrinfo(second, service, hints, &(*result)->ai_next);
}

extern "C" int getnameinfo(const sockaddr* address, socklen_t, char* host, socklen_t host_size, char* service,
                           socklen_t service_size, int) {
  ++FakeResolver::calls;
  const auto& ipv4 = *reinterpret_cast<const sockaddr_in*>(address);
  if (ipv4.sin_addr.s_addr != htonl(0x0a000001)) return EAI_NONAME;
  std::snprintf(host, host_size, "a.test");
  std::snprintf(service, service_size, "%u", ntohs(ipv4.sin_port));
  return 0;
}
