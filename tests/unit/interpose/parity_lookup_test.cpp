// Host lookups: getaddrinfo, getnameinfo and the gethostby family.
#include "parity.hpp"

namespace trueasync::test {
namespace {

std::string format_addresses(const addrinfo* list) {
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
  const auto look_up = [&](const char* host, const char* service, const addrinfo* hints) {
    addrinfo* found = nullptr;
    const int result = c_getaddrinfo(host, service, hints, &found);
    log.push_back(std::to_string(result) + format_addresses(found));
    if (found) ::freeaddrinfo(found);
  };
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  look_up("localhost", "80", &hints);
  look_up("127.0.0.1", nullptr, nullptr);
  look_up("localhost", nullptr, nullptr);
  look_up(nullptr, nullptr, nullptr);
  look_up("localhost", "no-such-service", &hints);
  hints.ai_flags = 0x40000000;
  look_up("localhost", "80", &hints);
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

std::string format_entry(const hostent* entry) {
  if (!entry) return "nothing";
  std::string text = entry->h_name;
  for (char** alias = entry->h_aliases; *alias; ++alias) text += std::string(" ") + *alias;
  for (char** address = entry->h_addr_list; *address; ++address) {
    for (int i = 0; i < entry->h_length; ++i) text += "." + std::to_string(static_cast<unsigned char>((*address)[i]));
  }
  return text + "/" + std::to_string(entry->h_addrtype);
}

void host_entries(Log& log) {
  log.push_back(format_entry(c_gethostbyname("localhost")));
  log.push_back(format_entry(c_gethostbyname("127.0.0.2")));
  const in_addr loopback{htonl(INADDR_LOOPBACK)};
  log.push_back(format_entry(c_gethostbyaddr(&loopback, sizeof loopback, AF_INET)));
  hostent entry = {};
  char buffer[2048];
  hostent* result = nullptr;
  int error = 0;
  log.push_back(std::to_string(c_gethostbyname_r("localhost", &entry, buffer, sizeof buffer, &result, &error)) +
                format_entry(result));
  log.push_back(std::to_string(c_gethostbyname_r("localhost", &entry, buffer, 8, &result, &error)) +
                format_entry(result) + std::to_string(error));
}

INSTANTIATE_TEST_SUITE_P(Lookups, BlockingParity,
                         ::testing::Values(Scenario{"Lookups", lookups}, Scenario{"HostEntries", host_entries}),
                         scenario_name);

}  // namespace
}  // namespace trueasync::test
