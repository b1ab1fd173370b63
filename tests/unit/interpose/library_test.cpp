// A C library that owns several sockets, as libcurl's multi interface does, driven from a coroutine.
#include "fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Fetches a page after a lookup. The lookup uses a socket that is hidden from the caller, so until the lookup completes
// the library must be called periodically.
class Library {
 public:
  int visible_socket() const noexcept { return page_[0]; }
  int server() const noexcept { return page_[1]; }
  // The maximum time until the next perform() in milliseconds; -1: call it only when the socket is ready.
  int timeout_ms() const noexcept { return is_found_ ? -1 : 1; }
  void perform() {
    char buffer[16];
    if (!is_found_ && ::recv(lookup_[0], buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
      is_found_ = true;
      ASSERT_EQ(::send(page_[0], "GET", 3, 0), 3);
    }
    const ssize_t got = ::recv(page_[0], buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0) page.assign(buffer, static_cast<std::size_t>(got));
  }
  void complete_lookup() const { ASSERT_EQ(::send(lookup_[1], "found", 5, 0), 5); }
  // Like curl_multi_poll(): polls all sockets, including the hidden one.
  int wait(int milliseconds) const {
    pollfd entries[2] = {{page_[0], POLLIN, 0}, {lookup_[0], POLLIN, 0}};
    return c_poll(entries, 2, milliseconds);
  }

  std::string page;

 private:
  SocketPair page_ = SocketPair::unix_sockets();
  SocketPair lookup_ = SocketPair::unix_sockets();
  bool is_found_ = false;
};

class BlockingLibrary : public Blocking {
 protected:
  // The server side, run by another coroutine of the same thread.
  void serve() {
    char buffer[16];
    ASSERT_EQ(c_recv(library.server(), buffer, sizeof buffer, 0), 3);
    ASSERT_EQ(c_send(library.server(), "page", 4, 0), 4);
  }
  Library library;
};

// IO-30
TEST_F(BlockingLibrary, HiddenSocketIsDrivenByTimer) {
  int timer_calls = 0;
  int socket_calls = 0;
  run([&] {
    auto server = spawn([&] { serve(); });
    auto lookup = spawn([&] {
      while (timer_calls < 2) yield();  // only the timer lets the caller notice the lookup
      library.complete_lookup();
    });
    while (library.page.empty()) {
      pollfd entry{library.visible_socket(), POLLIN, 0};
      const int ready = c_poll(&entry, 1, library.timeout_ms());
      ASSERT_GE(ready, 0);
      ++(ready == 0 ? timer_calls : socket_calls);
      library.perform();
    }
    await(server);
    await(lookup);
  });
  EXPECT_EQ(library.page, "page");
  EXPECT_GE(timer_calls, 3);
  EXPECT_EQ(socket_calls, 1);
}

// IO-30
TEST_F(BlockingLibrary, PollOfAllSocketsNeedsNoTimer) {
  int calls = 0;
  run([&] {
    auto server = spawn([&] { serve(); });
    auto driver = spawn([&] {
      while (library.page.empty()) {
        ASSERT_EQ(library.wait(-1), 1);
        ++calls;
        library.perform();
      }
    });
    yield_until_suspended(driver.coroutine());
    library.complete_lookup();
    await(driver);
    await(server);
  });
  EXPECT_EQ(library.page, "page");
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace trueasync::test
