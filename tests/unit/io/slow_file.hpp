// SlowFile: a file whose system calls block until the test lets them continue. It is a blocking pipe used as a file.
// BusyPool: occupies every worker thread.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <semaphore>
#include <string>
#include <vector>

#include "io/io_handle.hpp"
#include "reactor/work_event.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/detail/access.hpp"

namespace trueasync::test {

class SlowFile {
 public:
  enum class Side { read, write };

  // `file` is one end of the pipe; the test holds the other end.
  explicit SlowFile(Side side) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    descriptor = ends[side == Side::read ? 0 : 1];
    peer_ = ends[side == Side::read ? 1 : 0];
    if (side == Side::write) fill();
    file = File(detail::Access::from_handle<Io>(detail::new_file_handle(descriptor, "slow")));
  }
  ~SlowFile() {
    if (peer_ >= 0) ::close(peer_);
  }

  // Lets a blocked read continue.
  void give(const std::string& text) { EXPECT_EQ(::write(peer_, text.data(), text.size()), ssize_t(text.size())); }

  // Lets blocked writes continue and returns the next `size` bytes written to `file`. Blocks until they are available.
  std::string take(std::size_t size) {
    std::string all(filled_ + size, ' ');
    for (std::size_t done = 0; done < all.size();) {
      const ssize_t got = ::read(peer_, all.data() + done, all.size() - done);
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    const std::string result = all.substr(filled_);
    filled_ = 0;
    return result;
  }

  static bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

  File file;
  int descriptor;

 private:
  void fill() {
    const int flags = ::fcntl(descriptor, F_GETFL);
    ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
    const std::string page(4096, '.');
    ssize_t got;
    while ((got = ::write(descriptor, page.data(), page.size())) > 0) filled_ += static_cast<std::size_t>(got);
    ::fcntl(descriptor, F_SETFL, flags);
  }

  int peer_;
  std::size_t filled_ = 0;
};

// Occupies every worker thread until release().
class BusyPool {
 public:
  BusyPool() {
    for (auto& blocker : blockers_) {
      blocker = Ref<Blocker>::adopt(new Blocker);
      detail::require_scheduler("test").reactor().submit(*blocker);
    }
  }
  ~BusyPool() { release(); }
  void release() {
    for (auto& blocker : blockers_) {
      if (blocker) blocker->released.release();
      blocker = nullptr;
    }
  }

 private:
  struct Blocker final : detail::WorkEvent {
    Blocker() : WorkEvent("a busy worker thread") {}
    void run() noexcept override { released.acquire(); }
    std::binary_semaphore released{0};
  };
  std::array<Ref<Blocker>, 16> blockers_;
};

}  // namespace trueasync::test
