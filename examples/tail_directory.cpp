// tail -f for a directory: prints what is appended to any file in it, including new files and directories.
//
//   ./run examples/tail_directory.cpp DIRECTORY     runs until SIGINT or SIGTERM
//   ./run examples/tail_directory.cpp               runs a demo on a temporary directory
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

class Tail {
 public:
  // Existing content is not printed.
  explicit Tail(fs::path directory) : directory_(std::move(directory)) {
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      if (entry.is_regular_file()) printed_[entry.path().lexically_relative(directory_)] = entry.file_size();
    }
  }

  void show(const std::string& name) {
    const fs::path path = directory_ / name;
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    std::uintmax_t& printed = printed_[name];
    if (error || size < printed) printed = 0;  // removed or truncated
    if (size <= printed) return;
    std::ifstream file(path);
    file.seekg(static_cast<std::streamoff>(printed));
    for (std::string line; std::getline(file, line); ++lines_) std::printf("%s: %s\n", name.c_str(), line.c_str());
    std::fflush(stdout);
    printed = size;
  }
  int lines() const { return lines_; }

 private:
  fs::path directory_;
  std::map<std::string, std::uintmax_t> printed_;
  int lines_ = 0;
};

void follow(const fs::path& directory, Tail& tail) {
  ta::FsWatcher watcher({.path = directory.string(), .recursive = true, .debounce = 5ms, .max_debounce = 100ms});
  std::puts("watching");
  for (const ta::FsEvent& event : watcher) tail.show(event.filename);
  std::puts("the directory was removed");
}

void demonstrate() {
  std::string name = (fs::temp_directory_path() / "tail_directory_XXXXXX").string();
  const fs::path directory = ::mkdtemp(name.data());
  std::ofstream(directory / "old.log") << "was there before\n";
  Tail tail(directory);
  auto following = ta::spawn([&] { follow(directory, tail); });
  ta::yield();
  const auto append = [&](const fs::path& file, const char* text) {
    const int before = tail.lines();
    std::ofstream(directory / file, std::ios::app) << text;
    while (tail.lines() == before) ta::delay(1ms);
  };
  append("old.log", "one more line\n");
  append("new.log", "a new file\n");
  fs::create_directories(directory / "sub" / "deep");
  append("sub/deep/far.log", "in a new directory\n");
  fs::remove_all(directory);
  ta::await(following);
}

}  // namespace

int main(int argc, char** argv) {
  ta::RuntimeOptions options;
  options.shutdown_signals = {SIGINT, SIGTERM};
  return ta::run(options, [&] {
    if (argc < 2) return demonstrate();
    Tail tail(argv[1]);
    follow(argv[1], tail);
  });
}
