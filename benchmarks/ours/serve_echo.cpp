#include <array>

#include "ours/serve_until_ended.hpp"
#include "ours/workloads.hpp"

namespace ta = trueasync;

namespace bench::ours {

void serve_echo(std::uint64_t) {
  serve_until_ended([](ta::Io& peer) {
    std::array<std::byte, 1024> buffer;
    while (const std::size_t got = peer.read_some(buffer)) peer.write_all(ta::ConstBytes(buffer).first(got));
  });
}

}  // namespace bench::ours
