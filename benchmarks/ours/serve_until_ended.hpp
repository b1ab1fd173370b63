// A typical server: listen() and serve(), one coroutine per connection. Runs until the driver kills the program.
#pragma once

#include <trueasync/io/net.hpp>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "support/serving.hpp"

namespace bench::ours {

// Calls handle(trueasync::Io&) for every connection.
template <class F>
void serve_until_ended(F handle) {
  allow_many_descriptors();
  run_in_runtime([&handle] {
    trueasync::Listener listener = trueasync::listen(trueasync::Address::parse("127.0.0.1"));
    announce_port(listener.local_address().port());
    trueasync::serve(listener, [&handle](trueasync::Io peer) { handle(peer); });
  });
}

}  // namespace bench::ours
