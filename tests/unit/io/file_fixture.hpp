// FileTest: runs tests in a temporary folder with the epoll reactor, whose worker threads files need, and checks for
// leaks.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "scheduler/api_support.hpp"
#include "support/open_descriptors.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/io/file.hpp"

namespace trueasync::test {

inline std::string to_text(ConstBytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Drops the file from the page cache, so that a read needs the disk.
inline void drop_cache(int fd) {
  ::fsync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trueasync-file-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Runs `function` in a new runtime, waits for operations in flight and checks that nothing leaks, including
  // descriptors.
  template <class F>
  void run(F&& function) {
    const std::size_t before = descriptors_before();
    {
      Runtime runtime;
      runtime.run([&] {
        function();
        while (detail::require_scheduler("test").reactor().liveness().foreground != 0)
          delay(std::chrono::milliseconds(1));
      });
      expect_no_leaks(runtime);
    }
    EXPECT_LE(count_open_descriptors(), before);
  }

 private:
  // libuv keeps some descriptors open for the process after its first use.
  static std::size_t descriptors_before() {
    static const bool warm = [] {
      Runtime().run([] { file_status("/"); });
      return true;
    }();
    (void)warm;
    return count_open_descriptors();
  }

  std::string folder_;
};

}  // namespace trueasync::test
