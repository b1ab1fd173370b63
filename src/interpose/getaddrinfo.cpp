// getaddrinfo and getnameinfo. A helper thread runs the lookup; numeric addresses need none.
#include <arpa/inet.h>
#include <netdb.h>

#include <cstring>
#include <optional>

#include "interpose/calls.hpp"
#include "interpose/helper_threads.hpp"

namespace trueasync::detail::interpose {

bool is_numeric_address(const char* host) noexcept {
  in6_addr address;
  return ::inet_pton(AF_INET, host, &address) == 1 || ::inet_pton(AF_INET6, host, &address) == 1;
}

}  // namespace trueasync::detail::interpose

namespace trueasync::detail::interpose::calls {

namespace {

std::optional<std::string> to_optional_string(const char* text) {
  return text ? std::optional<std::string>(text) : std::nullopt;
}
const char* to_c_string(const std::optional<std::string>& text) noexcept { return text ? text->c_str() : nullptr; }

struct AddressQuery {
  std::optional<std::string> host;
  std::optional<std::string> service;
  addrinfo hints = {};
  bool has_hints = false;
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> found{nullptr, &::freeaddrinfo};
  int result = 0;

  void operator()() noexcept {
    addrinfo* list = nullptr;
    result = ::getaddrinfo(to_c_string(host), to_c_string(service), has_hints ? &hints : nullptr, &list);
    if (result == 0) found.reset(list);
  }
};

struct NameQuery {
  sockaddr_storage address = {};
  socklen_t length = 0;
  std::string host;
  std::string service;
  int flags = 0;
  int result = 0;

  void operator()() noexcept {
    result = ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), length, host.empty() ? nullptr : host.data(),
                           static_cast<socklen_t>(host.size()), service.empty() ? nullptr : service.data(),
                           static_cast<socklen_t>(service.size()), flags);
  }
};

void copy_text(const std::string& text, char* to, socklen_t size) noexcept {
  if (to && size != 0) std::memcpy(to, text.data(), std::min<std::size_t>(std::strlen(text.c_str()) + 1, size));
}

}  // namespace

int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !host || (hints && (hints->ai_flags & AI_NUMERICHOST)) || is_numeric_address(host)) {
    return ::getaddrinfo(host, service, hints, result);
  }
  try {
    AddressQuery query;
    query.host = to_optional_string(host);
    query.service = to_optional_string(service);
    if (hints) query.hints = *hints;
    query.has_hints = hints != nullptr;
    const auto job = make_job(std::move(query));
    switch (run_on_helper(*scheduler, "getaddrinfo", HelperFamily::lookup, job)) {
      case WaitResult::ready:
        if (job->call.result == 0) *result = job->call.found.release();
        if (job->call.result == EAI_SYSTEM) errno = job->error();
        return job->call.result;
      case WaitResult::interrupted:
        return EAI_SYSTEM;
      default:
        break;
    }
  } catch (...) {
  }
  return ::getaddrinfo(host, service, hints, result);
}

int getnameinfo(const sockaddr* address, socklen_t length, char* host, socklen_t host_size, char* service,
                socklen_t service_size, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool needs_no_lookup = !host || host_size == 0 || (flags & NI_NUMERICHOST);
  if (!scheduler || needs_no_lookup || !address || length > sizeof(sockaddr_storage)) {
    return ::getnameinfo(address, length, host, host_size, service, service_size, flags);
  }
  try {
    NameQuery query;
    std::memcpy(&query.address, address, length);
    query.length = length;
    query.host.resize(host_size);
    if (service) query.service.resize(service_size);
    query.flags = flags;
    const auto job = make_job(std::move(query));
    switch (run_on_helper(*scheduler, "getnameinfo", HelperFamily::lookup, job)) {
      case WaitResult::ready:
        if (job->call.result == EAI_SYSTEM) errno = job->error();
        if (job->call.result != 0) return job->call.result;
        copy_text(job->call.host, host, host_size);
        copy_text(job->call.service, service, service_size);
        return 0;
      case WaitResult::interrupted:
        return EAI_SYSTEM;
      default:
        break;
    }
  } catch (...) {
  }
  return ::getnameinfo(address, length, host, host_size, service, service_size, flags);
}

}  // namespace trueasync::detail::interpose::calls
