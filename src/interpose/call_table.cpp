#include "interpose/call_table.hpp"

#include <algorithm>
#include <array>

#include "interpose/calls.hpp"

namespace trueasync::detail::interpose {

namespace {

struct Call {
  std::string_view name;
  void* replacement;
};

template <class F>
Call call(std::string_view name, F* function) noexcept {
  return {name, reinterpret_cast<void*>(function)};
}

auto make_table() noexcept {
  std::array table = {
      call("sleep", &calls::sleep),
      call("usleep", &calls::usleep),
      call("nanosleep", &calls::nanosleep),
      call("clock_nanosleep", &calls::clock_nanosleep),

      call("poll", &calls::poll),
      call("__poll_chk", &calls::poll_chk),
      call("ppoll", &calls::ppoll),
      call("__ppoll_chk", &calls::ppoll_chk),
      call("epoll_wait", &calls::epoll_wait),
      call("epoll_pwait", &calls::epoll_pwait),
      call("select", &calls::select),
      call("pselect", &calls::pselect),

      call("read", &calls::read),
      call("__read_chk", &calls::read_chk),
      call("readv", &calls::readv),
      call("recv", &calls::recv),
      call("__recv_chk", &calls::recv_chk),
      call("recvfrom", &calls::recvfrom),
      call("__recvfrom_chk", &calls::recvfrom_chk),
      call("recvmsg", &calls::recvmsg),

      call("write", &calls::write),
      call("writev", &calls::writev),
      call("send", &calls::send),
      call("sendto", &calls::sendto),
      call("sendmsg", &calls::sendmsg),

      call("accept", &calls::accept),
      call("accept4", &calls::accept4),
      call("connect", &calls::connect),

      call("getaddrinfo", &calls::getaddrinfo),
      call("getnameinfo", &calls::getnameinfo),
      call("gethostbyname", &calls::gethostbyname),
      call("gethostbyname2", &calls::gethostbyname2),
      call("gethostbyaddr", &calls::gethostbyaddr),
      call("gethostbyname_r", &calls::gethostbyname_r),
      call("gethostbyname2_r", &calls::gethostbyname2_r),
      call("gethostbyaddr_r", &calls::gethostbyaddr_r),
      call("res_query", &calls::res_query),
      call("__res_query", &calls::res_query),
      call("res_search", &calls::res_search),
      call("__res_search", &calls::res_search),
      call("res_nquery", &calls::res_nquery),
      call("__res_nquery", &calls::res_nquery),
      call("res_nsearch", &calls::res_nsearch),
      call("__res_nsearch", &calls::res_nsearch),

      call("wait", &calls::wait),
      call("waitpid", &calls::waitpid),
      call("wait3", &calls::wait3),
      call("wait4", &calls::wait4),
      call("waitid", &calls::waitid),
      call("pclose", &calls::pclose),
      call("system", &calls::system),

      call("flock", &calls::flock),
      call("lockf", &calls::lockf),
      call("lockf64", &calls::lockf),
      call("fcntl", &calls::fcntl),
      call("fcntl64", &calls::fcntl),

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

void* replacement_of(std::string_view name) noexcept {
  static const auto table = make_table();
  const auto found = std::lower_bound(table.begin(), table.end(), name,
                                      [](const Call& call, std::string_view wanted) { return call.name < wanted; });
  return found != table.end() && found->name == name ? found->replacement : nullptr;
}

}  // namespace trueasync::detail::interpose
