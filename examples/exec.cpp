// Running programs: captured output, output line by line, input, a timeout, and several programs concurrently.
#include <cstdio>
#include <string>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    const ta::ExecResult listed = ta::exec({.command = "printf 'pear\\napple\\nfig\\n' | sort"});
    std::printf("sorted:\n%s", listed.output.c_str());

    const ta::ExecResult upper = ta::exec({.argv = {"tr", "a-z", "A-Z"}, .input = "from memory"});
    std::printf("tr printed: %s\n", upper.output.c_str());

    ta::exec({.command = "for i in 1 2 3; do echo step $i; done", .on_output_line = [](std::string_view line) {
                std::printf("line: %.*s\n", static_cast<int>(line.size()), line.data());
              }});

    // Two programs run concurrently: this takes as long as the slower one.
    auto first = ta::spawn([] { return ta::exec({.command = "sleep 0.1; exit 3"}).status.code; });
    auto second = ta::spawn([] { return ta::exec({.command = "sleep 0.1; kill -KILL $$"}).status.signal; });
    std::printf("exit code %d, killed by signal %d\n", ta::await(first), ta::await(second));

    const ta::ExecResult slow = ta::exec({.command = "echo started; sleep 1000"}, 100ms);
    std::printf("timed out: %s, output so far: %s", slow.timed_out ? "yes" : "no", slow.output.c_str());

    try {
      ta::exec({.argv = {"no-such-program"}});
    } catch (const ta::IoError& error) {
      std::printf("%s\n", error.what());
    }
  });
}
