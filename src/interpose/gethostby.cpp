// The gethostbyname and gethostbyaddr family. A helper thread runs the lookup; a numeric name needs none.
#include <netdb.h>

#include <cstring>
#include <optional>

#include "interpose/calls.hpp"
#include "interpose/helper_threads.hpp"
#include "interpose/hostent.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

struct HostQuery {
  std::string subject;  // a name, or the bytes of a binary address
  int family = AF_UNSPEC;
  bool is_address = false;
  std::optional<OwnedHostent> found;
  int result = 0;
  int host_error = 0;  // an h_errno value

  int call_resolver(hostent& entry, std::vector<char>& buffer, hostent** answer) noexcept {
    if (is_address) {
      return ::gethostbyaddr_r(subject.data(), static_cast<socklen_t>(subject.size()), family, &entry, buffer.data(),
                               buffer.size(), answer, &host_error);
    }
    if (family == AF_UNSPEC) {
      return ::gethostbyname_r(subject.c_str(), &entry, buffer.data(), buffer.size(), answer, &host_error);
    }
    return ::gethostbyname2_r(subject.c_str(), family, &entry, buffer.data(), buffer.size(), answer, &host_error);
  }

  void operator()() noexcept {
    constexpr std::size_t kMaxBufferSize = 1024 * 1024;
    try {
      for (std::size_t size = 2048;; size *= 2) {
        std::vector<char> buffer(size);
        hostent entry = {};
        hostent* answer = nullptr;
        result = call_resolver(entry, buffer, &answer);
        if (result == ERANGE && size < kMaxBufferSize) continue;
        if (result == 0 && answer) found.emplace(*answer);
        return;
      }
    } catch (...) {
      result = ENOMEM;
      host_error = NETDB_INTERNAL;
    }
  }
};

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

// Returns the finished query, or nothing if the original must be called. After an interruption `result` is the errno of
// the interrupted wait.
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
        HostQuery interrupted;
        interrupted.result = errno;
        interrupted.host_error = NETDB_INTERNAL;
        return interrupted;
      }
      default:
        break;
    }
  } catch (...) {
  }
  return std::nullopt;
}

// For the calls that return a pointer to thread-local memory, valid until the next call.
hostent* store_thread_result(const HostQuery& query) noexcept {
  thread_local hostent entry;
  h_errno = query.host_error;
  if (query.result == ECANCELED || query.result == ETIMEDOUT) errno = query.result;
  if (!query.found) return nullptr;
  const std::size_t size = query.found->size();
  if (query.found->copy_to(entry, thread_answer_buffer(size), size)) return &entry;
  h_errno = NETDB_INTERNAL;
  return nullptr;
}

// The result memory of the _r calls.
struct ResultBuffers {
  hostent* entry;
  char* buffer;
  std::size_t size;
  hostent** result;
  int* error;
};

int copy_result(const HostQuery& query, const ResultBuffers& buffers) noexcept {
  *buffers.error = query.host_error;
  *buffers.result = nullptr;
  if (!query.found) return query.result;
  if (!query.found->copy_to(*buffers.entry, buffers.buffer, buffers.size)) {
    *buffers.error = NETDB_INTERNAL;
    return errno = ERANGE;
  }
  *buffers.result = buffers.entry;
  return 0;
}

// Returns nothing if the original must be called.
std::optional<int> look_up_into(const char* call, const Subject& subject, const ResultBuffers& buffers) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return std::nullopt;
  const SharedHostentUse use(buffers.entry);
  const std::optional<HostQuery> query = look_up(*scheduler, call, subject);
  if (!query) return std::nullopt;
  if (!use.is_superseded() || !query->found) return copy_result(*query, buffers);
  // ERANGE is no alternative: each superseded caller would then enlarge the shared buffer.
  ResultBuffers own = buffers;
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
  const auto status = look_up_into("gethostbyname_r", by_name(name, AF_UNSPEC), {entry, buffer, size, result, error});
  return status ? *status : ::gethostbyname_r(name, entry, buffer, size, result, error);
}

int gethostbyname2_r(const char* name, int family, hostent* entry, char* buffer, std::size_t size, hostent** result,
                     int* error) noexcept {
  const auto status = look_up_into("gethostbyname2_r", by_name(name, family), {entry, buffer, size, result, error});
  return status ? *status : ::gethostbyname2_r(name, family, entry, buffer, size, result, error);
}

int gethostbyaddr_r(const void* address, socklen_t length, int family, hostent* entry, char* buffer, std::size_t size,
                    hostent** result, int* error) noexcept {
  const ResultBuffers buffers{entry, buffer, size, result, error};
  const auto status = look_up_into("gethostbyaddr_r", by_address(address, length, family), buffers);
  return status ? *status : ::gethostbyaddr_r(address, length, family, entry, buffer, size, result, error);
}

}  // namespace trueasync::detail::interpose::calls
