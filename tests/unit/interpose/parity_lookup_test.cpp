// Names of hosts: getaddrinfo, getnameinfo and the older gethostby family.
#include "parity.hpp"

namespace trueasync::test {
namespace {

std::string addresses(const addrinfo* list) {
  std::string text;
  for (; list; list = list->ai_next) {
    char host[64] = {};
    char service[32] = {};
    ::getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof host, service, sizeof service,
                  NI_NUMERICHOST | NI_NUMERICSERV);
    text += std::string(" ") + host + ":" + service + "/" + std::to_string(list->ai_socktype) + "/" +
            std::to_string(list->ai_flags);
  }
  return text;
}

void lookups(Log& log) {
  const auto look = [&](const char* host, const char* service, const addrinfo* hints) {
    addrinfo* found = nullptr;
    const int result = c_getaddrinfo(host, service, hints, &found);
    log.push_back(std::to_string(result) + addresses(found));
    if (found) ::freeaddrinfo(found);
  };
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  look("localhost", "80", &hints);
  look("127.0.0.1", nullptr, nullptr);
  look("localhost", nullptr, nullptr);
  look(nullptr, nullptr, nullptr);
  look("localhost", "no-such-service", &hints);
  hints.ai_flags = 0x40000000;
  look("localhost", "80", &hints);
  sockaddr_in loopback = {};
  loopback.sin_family = AF_INET;
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  char host[64] = {};
  char service[32] = {};
  log.push_back(std::to_string(c_getnameinfo(reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback, host,
                                             sizeof host, service, sizeof service, 0)) +
                host + service);
  log.push_back(std::to_string(
      c_getnameinfo(reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback, host, 2, nullptr, 0, 0)));
}

std::string entry_text(const hostent* entry) {
  if (!entry) return "nothing";
  std::string text = entry->h_name;
  for (char** each = entry->h_aliases; *each; ++each) text += std::string(" ") + *each;
  for (char** each = entry->h_addr_list; *each; ++each) {
    for (int i = 0; i < entry->h_length; ++i) text += "." + std::to_string(static_cast<unsigned char>((*each)[i]));
  }
  return text + "/" + std::to_string(entry->h_addrtype);
}

void host_entries(Log& log) {
  log.push_back(entry_text(c_gethostbyname("localhost")));
  log.push_back(entry_text(c_gethostbyname("127.0.0.2")));
  const in_addr loopback{htonl(INADDR_LOOPBACK)};
  log.push_back(entry_text(c_gethostbyaddr(&loopback, sizeof loopback, AF_INET)));
  hostent entry = {};
  char buffer[2048];
  hostent* result = nullptr;
  int error = 0;
  log.push_back(std::to_string(c_gethostbyname_r("localhost", &entry, buffer, sizeof buffer, &result, &error)) +
                entry_text(result));
  log.push_back(std::to_string(c_gethostbyname_r("localhost", &entry, buffer, 8, &result, &error)) +
                entry_text(result) + std::to_string(error));
}

INSTANTIATE_TEST_SUITE_P(Lookups, BlockingParity,
                         ::testing::Values(Scenario{"Lookups", lookups}, Scenario{"HostEntries", host_entries}),
                         scenario_name);

}  // namespace
}  // namespace trueasync::test
