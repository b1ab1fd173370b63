// A C library that owns several sockets, as libcurl's multi interface does, driven from a coroutine.
#include "fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// It fetches a page. Where the page is, it hears over a socket that it shows to nobody: until then it wants to be called
// from time to time.
class Library {
 public:
  int shown() const noexcept { return page_[0]; }
  int server() const noexcept { return page_[1]; }
  // At the latest in so many milliseconds; -1: only when the socket is ready.
  int wants_call_in() const noexcept { return is_found_ ? -1 : 1; }
  void perform() {
    char buffer[16];
    if (!is_found_ && ::recv(lookup_[0], buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
      is_found_ = true;
      ASSERT_EQ(::send(page_[0], "GET", 3, 0), 3);
    }
    const ssize_t got = ::recv(page_[0], buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0) page.assign(buffer, static_cast<std::size_t>(got));
  }
  void find() const { ASSERT_EQ(::send(lookup_[1], "found", 5, 0), 5); }
  // As curl_multi_poll: it knows all of its sockets.
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
  // Another coroutine of the same thread.
  void serve() {
    char buffer[16];
    ASSERT_EQ(c_recv(library.server(), buffer, sizeof buffer, 0), 3);
    ASSERT_EQ(c_send(library.server(), "page", 4, 0), 4);
  }
  Library library;
};

TEST_F(BlockingLibrary, HidingASocketItIsDrivenByItsTimerToo) {
  // IO-30
  int by_time = 0;
  int by_socket = 0;
  run([&] {
    auto server = spawn([&] { serve(); });
    auto lookup = spawn([&] {
      while (by_time < 2) yield();  // nothing of this is seen but by the timer
      library.find();
    });
    while (library.page.empty()) {
      pollfd entry{library.shown(), POLLIN, 0};
      const int ready = c_poll(&entry, 1, library.wants_call_in());
      ASSERT_GE(ready, 0);
      ++(ready == 0 ? by_time : by_socket);
      library.perform();
    }
    await(server);
    await(lookup);
  });
  EXPECT_EQ(library.page, "page");
  EXPECT_GE(by_time, 3);
  EXPECT_EQ(by_socket, 1);
}

TEST_F(BlockingLibrary, PollingAllOfItsSocketsItNeedsNoTimer) {
  // IO-30
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
    library.find();
    await(driver);
    await(server);
  });
  EXPECT_EQ(library.page, "page");
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace trueasync::test
