// Files: write, read, append, offsets and a lock. Two coroutines write to one log; the bytes of their writes are not mixed.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
namespace fs = std::filesystem;

int main() {
  return ta::run([] {
    const std::string folder = (fs::temp_directory_path() / ("trueasync-files-" + std::to_string(::getpid()))).string();
    fs::create_directory(folder);
    const std::string path = folder + "/log";

    ta::write_file(path, "begin\n");
    {
      ta::Io log = ta::open_file(path, {.mode = ta::FileMode::write, .append = true});
      auto first = ta::spawn([&] { log.write_all("first\n"); });
      auto second = ta::spawn([&] { log.write_all("second\n"); });
      ta::await(first);
      ta::await(second);
      ta::sync_file(log);
    }
    std::printf("%s", ta::read_file(path).c_str());

    ta::Io file = ta::open_file(path, {.mode = ta::FileMode::read_write});
    {
      ta::FileLock lock = ta::lock_file(file);  // waits with a timer, without a thread
      std::byte word[5];
      ta::read_at(file, 6, word);
      std::printf("at 6: %.*s\n", 5, reinterpret_cast<const char*>(word));
      ta::resize_file(file, 6);
    }
    std::printf("size: %llu bytes\n", static_cast<unsigned long long>(ta::file_size(file)));

    try {
      ta::open_file(folder + "/missing");
    } catch (const ta::IoError& error) {
      std::printf("%s\n", error.code() == ENOENT ? "missing: no such file" : error.what());
    }
    fs::remove_all(folder);
  });
}
