// res_query, res_search and their variants with an explicit state, run on a helper thread. The thread uses its own
// resolver state with a copy of the caller's settings, because the caller may be interrupted before the answer arrives.
#include <netdb.h>
#include <resolv.h>

#include <cstring>

#include "interpose/calls.hpp"
#include "interpose/helper_threads.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// The part of a resolver state that determines servers, timeouts and options.
struct Settings {
  bool is_initialized = false;
  int retransmission = 0;
  int retries = 0;
  unsigned long options = 0;
  int servers = 0;
  sockaddr_in addresses[MAXNS] = {};

  Settings() = default;
  explicit Settings(const struct __res_state& state) noexcept
      : is_initialized(state.options & RES_INIT),
        retransmission(state.retrans),
        retries(state.retry),
        options(state.options),
        servers(state.nscount) {
    std::memcpy(addresses, state.nsaddr_list, sizeof addresses);
  }

  void apply(struct __res_state& state) const noexcept {
    if (!is_initialized) return;
    state.retrans = retransmission;
    state.retry = retries;
    state.options = options;
    // The entry of an IPv6 server is empty here. Such a server keeps its address from resolv.conf.
    for (int i = 0; i < servers && i < state.nscount; ++i) {
      if (addresses[i].sin_family == AF_INET) state.nsaddr_list[i] = addresses[i];
    }
  }
};

enum class QueryKind : std::uint8_t { query, search };

struct RecordQuery {
  QueryKind query_kind;
  std::string name;
  int dns_class;
  int type;
  std::vector<unsigned char> answer;
  Settings settings;
  int result = -1;
  int host_error = NETDB_INTERNAL;

  void operator()() noexcept {
    struct __res_state state = {};
    if (::res_ninit(&state) != 0) return;
    settings.apply(state);
    const int size = static_cast<int>(answer.size());
    result = query_kind == QueryKind::query ? ::res_nquery(&state, name.c_str(), dns_class, type, answer.data(), size)
                                            : ::res_nsearch(&state, name.c_str(), dns_class, type, answer.data(), size);
    host_error = state.res_h_errno;
    const int error = errno;
    ::res_nclose(&state);
    errno = error;
  }
};

struct ResolverRequest {
  const char* call;
  QueryKind query_kind;
  const char* name;
  int dns_class;
  int type;
  res_state state;
  unsigned char* answer;
  int size;
};

// Returns false if the original must be called.
bool look_up(const ResolverRequest& request, int& result) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || request.size < 0 || !request.name) return false;
  try {
    const auto capacity = static_cast<std::size_t>(request.size);
    RecordQuery query{request.query_kind,
                      request.name,
                      request.dns_class,
                      request.type,
                      std::vector<unsigned char>(capacity),
                      request.state ? Settings(*request.state) : Settings()};
    const auto job = make_job(std::move(query));
    const WaitResult waited = run_on_helper(*scheduler, request.call, HelperFamily::lookup, job);
    if (waited == WaitResult::unsupported) return false;
    const bool is_ready = waited == WaitResult::ready;
    result = is_ready ? job->call.result : -1;
    h_errno = is_ready ? job->call.host_error : NETDB_INTERNAL;
    if (request.state) request.state->res_h_errno = h_errno;
    if (is_ready && result < 0) errno = job->error();
    if (result > 0) std::memcpy(request.answer, job->call.answer.data(), std::min<std::size_t>(result, capacity));
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

int res_query(const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest request{"res_query", QueryKind::query, name, dns_class, type, nullptr, answer, size};
  return look_up(request, result) ? result : ::res_query(name, dns_class, type, answer, size);
}

int res_search(const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest request{"res_search", QueryKind::search, name, dns_class, type, nullptr, answer, size};
  return look_up(request, result) ? result : ::res_search(name, dns_class, type, answer, size);
}

int res_nquery(res_state state, const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest request{"res_nquery", QueryKind::query, name, dns_class, type, state, answer, size};
  return look_up(request, result) ? result : ::res_nquery(state, name, dns_class, type, answer, size);
}

int res_nsearch(res_state state, const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest request{"res_nsearch", QueryKind::search, name, dns_class, type, state, answer, size};
  return look_up(request, result) ? result : ::res_nsearch(state, name, dns_class, type, answer, size);
}

}  // namespace trueasync::detail::interpose::calls
