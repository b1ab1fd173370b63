// Writes and reads a file in pieces, alternating with a plain loop of write() and read(). The result is the speed relative to
// the plain loop. Both use the page cache, so the result shows the overhead of the library, not the speed of the disk. N is
// the number of MiB.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <trueasync/io/file.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {
namespace {

// Minimum of several rounds, in nanoseconds.
struct Times {
  double write = 1e18;
  double read = 1e18;
};

void check(bool ok, const char* operation) {
  if (ok) return;
  std::perror(operation);
  std::exit(1);
}

template <class Write, class Rewind, class Read>
void measure(Times& times, std::uint64_t pieces, Write&& write, Rewind&& rewind, Read&& read) {
  rewind();
  const Stopwatch writing;
  for (std::uint64_t i = 0; i < pieces; ++i) write();
  times.write = std::min(times.write, writing.elapsed_ns());
  rewind();
  const Stopwatch reading;
  for (std::uint64_t i = 0; i < pieces; ++i) read();
  times.read = std::min(times.read, reading.elapsed_ns());
}

void plain_round(Times& times, int fd, std::vector<std::byte>& piece, std::uint64_t pieces) {
  const auto size = static_cast<ssize_t>(piece.size());
  measure(
      times, pieces, [&] { check(::write(fd, piece.data(), piece.size()) == size, "write"); },
      [&] { check(::lseek(fd, 0, SEEK_SET) == 0, "lseek"); },
      [&] { check(::read(fd, piece.data(), piece.size()) == size, "read"); });
}

void our_round(Times& times, ta::File& file, std::vector<std::byte>& piece, std::uint64_t pieces) {
  const auto read_piece = [&] {
    for (std::size_t done = 0; done < piece.size();) {
      const std::size_t got = file.read_some(ta::Bytes(piece).subspan(done));
      check(got != 0, "read");
      done += got;
    }
  };
  measure(
      times, pieces, [&] { file.write_all(ta::ConstBytes(piece)); }, [&] { file.seek(0); }, read_piece);
}

}  // namespace

void file(std::uint64_t piece_bytes) {
  constexpr int kRounds = 3;
  const std::uint64_t bytes = operations_or(1024) * 1024 * 1024;
  const std::uint64_t pieces = bytes / piece_bytes;
  run_in_runtime([=] {
    std::string path = "/tmp/trueasync-bench-XXXXXX";
    const int fd = ::mkstemp(path.data());
    check(fd >= 0, "mkstemp");
    ta::File ours(ta::Io::adopt(::dup(fd), path));
    ::unlink(path.c_str());
    std::vector<std::byte> piece(piece_bytes, std::byte{'x'});
    Times plain, mine, warm;
    plain_round(warm, fd, piece, pieces);  // fills the page cache
    for (int round = 0; round < kRounds; ++round) {
      plain_round(plain, fd, piece, pieces);
      our_round(mine, ours, piece, pieces);
    }
    const auto speed = [&](double ns) { return static_cast<double>(bytes) / ns; };
    note("write %.2f GB/s, plain %.2f GB/s; read %.2f GB/s, plain %.2f GB/s", speed(mine.write), speed(plain.write),
         speed(mine.read), speed(plain.read));
    ::close(fd);
    report((plain.write + plain.read) / (mine.write + mine.read));
  });
}

}  // namespace bench::ours
