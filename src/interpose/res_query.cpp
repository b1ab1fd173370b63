// res_query, res_search and those with a state of the caller's: on threads. The state that works there is the thread's own,
// with the caller's settings: the caller may be gone before the answer is there.
#include <netdb.h>
#include <resolv.h>

#include <cstring>

#include "interpose/calls.hpp"
#include "interpose/helper_threads.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// What of a caller's state decides how is asked, and whom.
struct Settings {
  bool is_given = false;
  int retransmission = 0;
  int retries = 0;
  unsigned long options = 0;
  int servers = 0;
  sockaddr_in addresses[MAXNS] = {};

  Settings() = default;
  explicit Settings(const struct __res_state& state) noexcept
      : is_given(state.options & RES_INIT),
        retransmission(state.retrans),
        retries(state.retry),
        options(state.options),
        servers(state.nscount) {
    std::memcpy(addresses, state.nsaddr_list, sizeof addresses);
  }

  void apply(struct __res_state& state) const noexcept {
    if (!is_given) return;
    state.retrans = retransmission;
    state.retry = retries;
    state.options = options;
    // Others than in resolv.conf only where the caller has set them; of IPv6 servers the entry here is empty.
    for (int i = 0; i < servers && i < state.nscount; ++i) {
      if (addresses[i].sin_family == AF_INET) state.nsaddr_list[i] = addresses[i];
    }
  }
};

enum class QueryKind : std::uint8_t { query, search };

struct RecordQuery {
  QueryKind manner;
  std::string name;
  int kind;
  int type;
  std::vector<unsigned char> answer;
  Settings settings;
  int result = -1;
  int failure = NETDB_INTERNAL;

  void operator()() noexcept {
    struct __res_state own = {};
    if (::res_ninit(&own) != 0) return;
    settings.apply(own);
    const int size = static_cast<int>(answer.size());
    result = manner == QueryKind::query ? ::res_nquery(&own, name.c_str(), kind, type, answer.data(), size)
                                        : ::res_nsearch(&own, name.c_str(), kind, type, answer.data(), size);
    failure = own.res_h_errno;
    const int error = errno;
    ::res_nclose(&own);
    errno = error;
  }
};

struct ResolverRequest {
  const char* call;
  QueryKind manner;
  const char* name;
  int kind;
  int type;
  res_state state;
  unsigned char* answer;
  int size;
};

// False: the original is to be called.
bool look_up(const ResolverRequest& question, int& result) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || question.size < 0 || !question.name) return false;
  try {
    const auto room = static_cast<std::size_t>(question.size);
    RecordQuery query{question.manner,
                      question.name,
                      question.kind,
                      question.type,
                      std::vector<unsigned char>(room),
                      question.state ? Settings(*question.state) : Settings()};
    const auto job = make_job(std::move(query));
    const WaitResult waited = run_on_helper(*scheduler, question.call, HelperFamily::lookup, job);
    if (waited == WaitResult::unsupported) return false;
    const bool is_done = waited == WaitResult::ready;
    result = is_done ? job->call.result : -1;
    h_errno = is_done ? job->call.failure : NETDB_INTERNAL;
    if (question.state) question.state->res_h_errno = h_errno;
    if (is_done && result < 0) errno = job->error();
    if (result > 0) std::memcpy(question.answer, job->call.answer.data(), std::min<std::size_t>(result, room));
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

int res_query(const char* name, int kind, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest question{"res_query", QueryKind::query, name, kind, type, nullptr, answer, size};
  return look_up(question, result) ? result : ::res_query(name, kind, type, answer, size);
}

int res_search(const char* name, int kind, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest question{"res_search", QueryKind::search, name, kind, type, nullptr, answer, size};
  return look_up(question, result) ? result : ::res_search(name, kind, type, answer, size);
}

int res_nquery(res_state state, const char* name, int kind, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest question{"res_nquery", QueryKind::query, name, kind, type, state, answer, size};
  return look_up(question, result) ? result : ::res_nquery(state, name, kind, type, answer, size);
}

int res_nsearch(res_state state, const char* name, int kind, int type, unsigned char* answer, int size) noexcept {
  int result = 0;
  const ResolverRequest question{"res_nsearch", QueryKind::search, name, kind, type, state, answer, size};
  return look_up(question, result) ? result : ::res_nsearch(state, name, kind, type, answer, size);
}

}  // namespace trueasync::detail::interpose::calls
