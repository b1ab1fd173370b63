#include "interpose/call_table.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "interpose/calls.hpp"
#include "interpose/fortified.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail::interpose {

namespace {

struct Call {
  std::string_view name;
  void* replacement;
};

// For calls that must also be intercepted on threads without a scheduler.
template <class F>
Call call(std::string_view name, F* function) noexcept {
  return {name, reinterpret_cast<void*>(function)};
}

// Calls the original directly on a thread without a scheduler. The cost is one load of a thread-local variable and a
// tail call.
template <auto Original, auto Replacement>
struct Gate;
template <auto Original, class R, class... Arguments, R (*Replacement)(Arguments...) noexcept>
struct Gate<Original, Replacement> {
  // noexcept would prevent the tail call.
  static R pass(Arguments... arguments) {
    if (__builtin_expect(current_scheduler == nullptr, 1)) return Original(arguments...);
    return Replacement(arguments...);
  }
};

// Like Gate, for replacements that need the address of the calling code.
template <auto Original, auto Replacement>
struct CallerAwareGate;
template <auto Original, class R, class... Arguments, R (*Replacement)(const void*, Arguments...) noexcept>
struct CallerAwareGate<Original, Replacement> {
  static R pass(Arguments... arguments) {
    if (__builtin_expect(current_scheduler == nullptr, 1)) return Original(arguments...);
    return Replacement(__builtin_return_address(0), arguments...);
  }
};

template <auto Original, auto Replacement>
Call caller_aware_gate(std::string_view name) noexcept {
  return call(name, &CallerAwareGate<Original, Replacement>::pass);
}

template <auto Original, auto Replacement>
Call gate(std::string_view name) noexcept {
  return call(name, &Gate<Original, Replacement>::pass);
}

auto make_table() noexcept {
  std::array table = {
      gate<&::sleep, &calls::sleep>("sleep"),
      gate<&::usleep, &calls::usleep>("usleep"),
      gate<&::nanosleep, &calls::nanosleep>("nanosleep"),
      gate<&::clock_nanosleep, &calls::clock_nanosleep>("clock_nanosleep"),

      caller_aware_gate<&::poll, &calls::poll>("poll"),
      caller_aware_gate<&::__poll_chk, &calls::poll_chk>("__poll_chk"),
      gate<&::ppoll, &calls::ppoll>("ppoll"),
      gate<&::__ppoll_chk, &calls::ppoll_chk>("__ppoll_chk"),
      gate<&::epoll_wait, &calls::epoll_wait>("epoll_wait"),
      gate<&::epoll_pwait, &calls::epoll_pwait>("epoll_pwait"),
      gate<&::select, &calls::select>("select"),
      gate<&::pselect, &calls::pselect>("pselect"),

      gate<&::read, &calls::read>("read"),
      gate<&::__read_chk, &calls::read_chk>("__read_chk"),
      gate<&::readv, &calls::readv>("readv"),
      gate<&::recv, &calls::recv>("recv"),
      gate<&::__recv_chk, &calls::recv_chk>("__recv_chk"),
      gate<&::recvfrom, &calls::recvfrom>("recvfrom"),
      gate<&::__recvfrom_chk, &calls::recvfrom_chk>("__recvfrom_chk"),
      gate<&::recvmsg, &calls::recvmsg>("recvmsg"),

      gate<&::write, &calls::write>("write"),
      gate<&::writev, &calls::writev>("writev"),
      gate<&::send, &calls::send>("send"),
      gate<&::sendto, &calls::sendto>("sendto"),
      gate<&::sendmsg, &calls::sendmsg>("sendmsg"),

      gate<&::accept, &calls::accept>("accept"),
      gate<&::accept4, &calls::accept4>("accept4"),
      gate<&::connect, &calls::connect>("connect"),

      gate<&::getaddrinfo, &calls::getaddrinfo>("getaddrinfo"),
      gate<&::getnameinfo, &calls::getnameinfo>("getnameinfo"),
      gate<&::gethostbyname, &calls::gethostbyname>("gethostbyname"),
      gate<&::gethostbyname2, &calls::gethostbyname2>("gethostbyname2"),
      gate<&::gethostbyaddr, &calls::gethostbyaddr>("gethostbyaddr"),
      gate<&::gethostbyname_r, &calls::gethostbyname_r>("gethostbyname_r"),
      gate<&::gethostbyname2_r, &calls::gethostbyname2_r>("gethostbyname2_r"),
      gate<&::gethostbyaddr_r, &calls::gethostbyaddr_r>("gethostbyaddr_r"),
      call("res_query", &calls::res_query),
      call("__res_query", &calls::res_query),
      call("res_search", &calls::res_search),
      call("__res_search", &calls::res_search),
      call("res_nquery", &calls::res_nquery),
      call("__res_nquery", &calls::res_nquery),
      call("res_nsearch", &calls::res_nsearch),
      call("__res_nsearch", &calls::res_nsearch),

      gate<&::wait, &calls::wait>("wait"),
      gate<&::waitpid, &calls::waitpid>("waitpid"),
      gate<&::wait3, &calls::wait3>("wait3"),
      gate<&::wait4, &calls::wait4>("wait4"),
      gate<&::waitid, &calls::waitid>("waitid"),
      gate<&::pclose, &calls::pclose>("pclose"),
      gate<&::system, &calls::system>("system"),

      gate<&::flock, &calls::flock>("flock"),
      gate<&::lockf, &calls::lockf>("lockf"),
      gate<&::lockf, &calls::lockf>("lockf64"),
      gate<&::fcntl, &calls::fcntl>("fcntl"),
      gate<&::fcntl, &calls::fcntl>("fcntl64"),

      call("close", &calls::close),
      call("fclose", &calls::fclose),
      call("dup2", &calls::dup2),
      call("dup3", &calls::dup3),
      call("close_range", &calls::close_range),
      call("closefrom", &calls::closefrom),

      call("dlopen", &calls::dlopen),
  };
  std::sort(table.begin(), table.end(), [](const Call& a, const Call& b) { return a.name < b.name; });
  return table;
}

}  // namespace

void* find_replacement(std::string_view name) noexcept {
  static const auto table = make_table();
  const auto found = std::lower_bound(table.begin(), table.end(), name,
                                      [](const Call& call, std::string_view key) { return call.name < key; });
  return found != table.end() && found->name == name ? found->replacement : nullptr;
}

}  // namespace trueasync::detail::interpose
