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
      ta::File log = ta::File::open(path, {.mode = ta::FileMode::write, .append = true});
      auto first = ta::spawn([&] { log.write_all("first\n"); });
      auto second = ta::spawn([&] { log.write_all("second\n"); });
      ta::await(first);
      ta::await(second);
      log.sync();
    }
    std::printf("%s", ta::read_file(path).c_str());

    ta::File file = ta::File::open(path, {.mode = ta::FileMode::read_write});
    {
      ta::FileLock lock = file.lock();  // waits with a timer, without a thread
      std::byte word[5];
      file.read_at(6, word);
      std::printf("at 6: %.*s\n", 5, reinterpret_cast<const char*>(word));
      file.resize(6);
    }
    std::printf("size: %llu bytes\n", static_cast<unsigned long long>(file.size()));

    try {
      ta::File::open(folder + "/missing");
    } catch (const ta::IoError& error) {
      std::printf("%s\n", error.code() == ENOENT ? "missing: no such file" : error.what());
    }
    fs::remove_all(folder);
  });
}
