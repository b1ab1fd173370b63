#include "trueasync/io/stream.hpp"

#include "trueasync/event.hpp"
#include "trueasync/io/error.hpp"

namespace trueasync {

Stream::~Stream() = default;

void Stream::read_exact(Bytes buffer, WaitOptions options, SourceLocation location) {
  options = detail::with_fixed_deadline(options);
  for (std::size_t done = 0; done < buffer.size();) {
    const std::size_t got = read_some(buffer.subspan(done), options, location);
    if (got == 0) throw EndOfStreamError("read " + std::string(name()), done);
    done += got;
  }
}

}  // namespace trueasync
