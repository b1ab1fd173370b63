// A name lookup, forward or reverse, on a thread (REA-02). It begins when it is started first; when nobody waits any more
// it is taken back, or – a thread is at it already – its answer goes nowhere (DN-01).
//
// Threads: the reactor's. Errors: none; the result tells.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

struct RawAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

struct LookupQuery {
  std::string host;     // forward: what is looked for
  std::string service;  // a name or a number; may be empty
  int family = AF_UNSPEC;
  RawAddress address;  // reverse, when it is there
};

struct LookupResult {
  std::vector<RawAddress> addresses;
  std::string host;  // reverse
  std::string service;
  int eai = 0;    // EAI_*, 0: all is well
  int error = 0;  // errno, with EAI_SYSTEM
};

class LookupEvent : public Event {
 public:
  const LookupResult& result() const noexcept { return result_; }
  bool is_done() const noexcept { return done_; }
  bool replay(Notification& notification) const noexcept override {
    notification = {};
    return done_;
  }
  std::string describe() const override { return "a name lookup"; }

 protected:
  using Event::Event;
  void finish(LookupResult result) noexcept {
    result_ = std::move(result);
    done_ = true;
    notify({});
  }

 private:
  LookupResult result_;
  bool done_ = false;
};

}  // namespace trueasync::detail
