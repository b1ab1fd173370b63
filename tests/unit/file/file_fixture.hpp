// For tests of files: a folder of their own, the libuv reactor (files need its threads), and the ledger at the end.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "scheduler/api_support.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/file.hpp"

namespace trueasync::test {

inline std::string text_of(ConstBytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

// What the kernel remembers of the file is dropped, so that reading it needs the disk.
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

  // Runs `function` in a fresh runtime, waits for what threads still do, and looks that nothing is left, descriptors
  // included.
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
    EXPECT_LE(open_descriptors(), before);
  }

 private:
  // The loop's library keeps a few for the whole process, from its first use on.
  static std::size_t descriptors_before() {
    static const bool warm = [] {
      Runtime().run([] { file_status("/"); });
      return true;
    }();
    (void)warm;
    return open_descriptors();
  }

  std::string folder_;
};

}  // namespace trueasync::test
