// A file whose system calls last as long as a test wants: a blocking pipe, worked on as if it were a file. And a way to
// keep every thread of the pool busy.
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

namespace trueasync::test {

class SlowFile {
 public:
  enum class Side { read, write };

  // `file` is one side of the pipe; the test holds the other.
  explicit SlowFile(Side side) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    descriptor = ends[side == Side::read ? 0 : 1];
    other_ = ends[side == Side::read ? 1 : 0];
    if (side == Side::write) fill();
    file = Io(detail::new_file_handle(descriptor, "slow"));
  }
  ~SlowFile() {
    if (other_ >= 0) ::close(other_);
  }

  // Lets a read go on.
  void give(const std::string& text) { EXPECT_EQ(::write(other_, text.data(), text.size()), ssize_t(text.size())); }

  // Lets writes go on; returns what was written to `file`, `size` bytes of it. Blocks until they are there.
  std::string take(std::size_t size) {
    std::string all(filled_ + size, ' ');
    for (std::size_t done = 0; done < all.size();) {
      const ssize_t got = ::read(other_, all.data() + done, all.size() - done);
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    const std::string result = all.substr(filled_);
    filled_ = 0;
    return result;
  }

  static bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

  Io file;
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

  int other_;
  std::size_t filled_ = 0;
};

// Until release() no thread of the pool is free.
class BusyPool {
 public:
  BusyPool() {
    for (auto& work : works_) {
      work = Ref<Blocker>::adopt(new Blocker);
      detail::require_scheduler("test").reactor().submit(*work);
    }
  }
  ~BusyPool() { release(); }
  void release() {
    for (auto& work : works_) {
      if (work) work->gate.release();
      work = nullptr;
    }
  }

 private:
  struct Blocker final : detail::WorkEvent {
    Blocker() : WorkEvent("a busy thread") {}
    void run() noexcept override { gate.acquire(); }
    std::binary_semaphore gate{0};
  };
  std::array<Ref<Blocker>, 16> works_;
};

}  // namespace trueasync::test
