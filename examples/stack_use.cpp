// Stack use of common calls, the measurement behind the default of 64 KiB. Each call runs in its own coroutine on a large
// stack with measure_stacks; the table shows the high-water mark, including the runtime's frames.
#include <netdb.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;

namespace {

struct Call {
  const char* name;
  std::function<void()> run;
};

void resolve() {
  addrinfo* found = nullptr;
  if (getaddrinfo("localhost", "80", nullptr, &found) == 0) freeaddrinfo(found);
}

void sort_a_million() {
  std::vector<unsigned> numbers(1'000'000);
  std::mt19937 random(1);
  std::generate(numbers.begin(), numbers.end(), random);
  std::sort(numbers.begin(), numbers.end());
}

void match() {
  const std::string text(1000, 'a');
  std::smatch found;
  std::regex_match(text, found, std::regex("(a|b)*c?"));
}

void print_numbers() {
  char text[512];
  std::snprintf(text, sizeof text, "%f %Lg %s", 1e300, 1.0L, "text");
}

void throw_and_catch() {
  try {
    throw std::runtime_error("error");
  } catch (const std::exception&) {
  }
}

const std::vector<Call> kCalls = {
    {"nothing", [] {}},
    {"yield", [] { ta::yield(); }},
    {"snprintf of floating point", print_numbers},
    {"throw and catch", throw_and_catch},
    {"std::ostringstream", [] { std::ostringstream() << 1.5 << " text " << 42; }},
    {"std::sort, 1 M numbers", sort_a_million},
    {"std::filesystem, list /",
     [] {
       for (auto& entry : std::filesystem::directory_iterator("/")) (void)entry.path();
     }},
    {"getaddrinfo of localhost", resolve},
    {"std::regex on 1000 characters", match},
};

}  // namespace

int main() {
  for (const Call& call : kCalls) {
    ta::RuntimeOptions options;
    options.stack_size = 1024 * 1024;
    options.measure_stacks = true;
    ta::Runtime runtime(options);
    runtime.run([&] { ta::await(ta::spawn(call.run)); });
    std::printf("%-32s %8zu bytes\n", call.name, runtime.statistics().stack_peak_bytes);
  }
}
