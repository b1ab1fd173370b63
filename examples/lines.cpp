// Reads lines from standard input: a file, a pipe or a terminal. If the reader of standard output closes its end, the
// write throws an IoError; SIGPIPE does not end the program.
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;

int main() {
  return ta::run([] {
    ta::Io input = ta::standard_input();
    ta::Io output = ta::standard_output();
    ta::BufferedReader reader(input);
    unsigned long lines = 0;
    try {
      while (auto line = reader.read_line(4096)) {
        output.write_all(std::to_string(++lines) + ": " + std::string(*line) + "\n");
      }
      output.write_all("lines: " + std::to_string(lines) + "\n");
    } catch (const ta::TooLongError& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  });
}
