// gethostbyname, gethostbyaddr and their kin: on threads, unless there is nothing to look up.
#include <netdb.h>

#include <cstring>
#include <optional>

#include "interpose/calls.hpp"
#include "interpose/helper_threads.hpp"
#include "interpose/host_entry.hpp"
#include "interpose/lookup.hpp"
#include "interpose/shared_entry.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

struct HostQuery {
  std::string subject;  // a name, or the bytes of an address
  int family = AF_UNSPEC;
  bool is_address = false;
  std::optional<OwnedHostent> found;
  int result = 0;
  int failure = 0;  // in h_errno's numbers

  int look(hostent& entry, std::vector<char>& buffer, hostent** answer) noexcept {
    if (is_address) {
      return ::gethostbyaddr_r(subject.data(), static_cast<socklen_t>(subject.size()), family, &entry, buffer.data(),
                               buffer.size(), answer, &failure);
    }
    if (family == AF_UNSPEC) {
      return ::gethostbyname_r(subject.c_str(), &entry, buffer.data(), buffer.size(), answer, &failure);
    }
    return ::gethostbyname2_r(subject.c_str(), family, &entry, buffer.data(), buffer.size(), answer, &failure);
  }

  void operator()() noexcept {
    constexpr std::size_t kLargest = 1024 * 1024;
    try {
      for (std::size_t size = 2048;; size *= 2) {
        std::vector<char> buffer(size);
        hostent entry = {};
        hostent* answer = nullptr;
        result = look(entry, buffer, &answer);
        if (result == ERANGE && size < kLargest) continue;
        if (result == 0 && answer) found.emplace(*answer);
        return;
      }
    } catch (...) {
      result = ENOMEM;
      failure = NETDB_INTERNAL;
    }
  }
};

// What C code asked for.
struct Subject {
  const char* bytes;
  std::size_t size;
  int family;
  bool is_address;
};

Subject by_name(const char* name, int family) noexcept { return {name, std::strlen(name), family, false}; }
Subject by_address(const void* address, socklen_t length, int family) noexcept {
  return {static_cast<const char*>(address), length, family, true};
}

// Nothing: the original is to be called. Otherwise the query as it ended; `result` is ECANCELED and the like when it was
// left.
std::optional<HostQuery> look_up(Scheduler& scheduler, const char* call, const Subject& subject) noexcept {
  if (!subject.is_address && is_numeric_address(subject.bytes)) return std::nullopt;
  try {
    HostQuery query;
    query.subject.assign(subject.bytes, subject.size);
    query.family = subject.family;
    query.is_address = subject.is_address;
    const auto job = make_job(std::move(query));
    switch (run_on_helper(scheduler, call, HelperFamily::lookup, job)) {
      case WaitResult::ready:
        return std::move(job->call);
      case WaitResult::interrupted: {
        HostQuery left;
        left.result = errno;
        left.failure = NETDB_INTERNAL;
        return left;
      }
      default:
        break;
    }
  } catch (...) {
  }
  return std::nullopt;
}

// For the calls whose result is the thread's, until the next one.
hostent* store_thread_result(const HostQuery& query) noexcept {
  thread_local hostent entry;
  h_errno = query.failure;
  if (query.result == ECANCELED || query.result == ETIMEDOUT) errno = query.result;
  if (!query.found) return nullptr;
  const std::size_t size = query.found->size();
  if (query.found->copy_to(entry, thread_answer_buffer(size), size)) return &entry;
  h_errno = NETDB_INTERNAL;
  return nullptr;
}

// Where C code wants its answer.
struct Memory {
  hostent* entry;
  char* buffer;
  std::size_t size;
  hostent** result;
  int* error;
};

int copy_result(const HostQuery& query, const Memory& memory) noexcept {
  *memory.error = query.failure;
  *memory.result = nullptr;
  if (!query.found) return query.result;
  if (!query.found->copy_to(*memory.entry, memory.buffer, memory.size)) {
    *memory.error = NETDB_INTERNAL;
    return errno = ERANGE;
  }
  *memory.result = memory.entry;
  return 0;
}

// Nothing: the original is to be called.
std::optional<int> look_up_into(const char* call, const Subject& subject, const Memory& memory) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return std::nullopt;
  const SharedHostentUse use(memory.entry);
  const std::optional<HostQuery> query = look_up(*scheduler, call, subject);
  if (!query) return std::nullopt;
  if (!use.is_superseded() || !query->found) return copy_result(*query, memory);
  // Asking for more would not do: whoever shares the buffer makes it larger for each one that asks.
  Memory own = memory;
  own.size = query->found->size();
  own.buffer = thread_answer_buffer(own.size);
  return own.buffer ? copy_result(*query, own) : ENOMEM;
}

}  // namespace

hostent* gethostbyname(const char* name) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::gethostbyname(name);
  const auto query = look_up(*scheduler, "gethostbyname", by_name(name, AF_UNSPEC));
  return query ? store_thread_result(*query) : ::gethostbyname(name);
}

hostent* gethostbyname2(const char* name, int family) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::gethostbyname2(name, family);
  const auto query = look_up(*scheduler, "gethostbyname2", by_name(name, family));
  return query ? store_thread_result(*query) : ::gethostbyname2(name, family);
}

hostent* gethostbyaddr(const void* address, socklen_t length, int family) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::gethostbyaddr(address, length, family);
  const auto query = look_up(*scheduler, "gethostbyaddr", by_address(address, length, family));
  return query ? store_thread_result(*query) : ::gethostbyaddr(address, length, family);
}

int gethostbyname_r(const char* name, hostent* entry, char* buffer, std::size_t size, hostent** result,
                    int* error) noexcept {
  const auto done = look_up_into("gethostbyname_r", by_name(name, AF_UNSPEC), {entry, buffer, size, result, error});
  return done ? *done : ::gethostbyname_r(name, entry, buffer, size, result, error);
}

int gethostbyname2_r(const char* name, int family, hostent* entry, char* buffer, std::size_t size, hostent** result,
                     int* error) noexcept {
  const auto done = look_up_into("gethostbyname2_r", by_name(name, family), {entry, buffer, size, result, error});
  return done ? *done : ::gethostbyname2_r(name, family, entry, buffer, size, result, error);
}

int gethostbyaddr_r(const void* address, socklen_t length, int family, hostent* entry, char* buffer, std::size_t size,
                    hostent** result, int* error) noexcept {
  const Memory memory{entry, buffer, size, result, error};
  const auto done = look_up_into("gethostbyaddr_r", by_address(address, length, family), memory);
  return done ? *done : ::gethostbyaddr_r(address, length, family, entry, buffer, size, result, error);
}

}  // namespace trueasync::detail::interpose::calls
