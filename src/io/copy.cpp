#include "trueasync/io/stream.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "io/send_file.hpp"

namespace trueasync {

namespace {

constexpr std::size_t kBufferSize = 64 * 1024;

std::uint64_t copy_through_buffer(Stream& from, Stream& to, std::uint64_t count, WaitOptions wait,
                                  SourceLocation location) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(count, kBufferSize)));
  std::uint64_t done = 0;
  while (done < count) {
    const Bytes space =
        Bytes(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), count - done)));
    const std::size_t got = from.read_some(space, wait, location);
    if (got == 0) break;
    to.write_all(ConstBytes(space.first(got)), wait, location);
    done += got;
  }
  return done;
}

}  // namespace

std::uint64_t copy(Stream& from, Stream& to, const CopyOptions& options, WaitOptions wait, SourceLocation location) {
  wait = detail::start_wait(wait);
  const std::uint64_t count = options.count.value_or(std::numeric_limits<std::uint64_t>::max());
  if (auto pair = detail::find_send_pair(from, to)) {
    return detail::send_file(*pair, count, wait, location);
  }
  return copy_through_buffer(from, to, count, wait, location);
}

}  // namespace trueasync
