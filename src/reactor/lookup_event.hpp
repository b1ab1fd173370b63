// LookupEvent: a forward or reverse name lookup on a worker thread. It is submitted on the first start. When the last
// waiter leaves, it is cancelled, or its result is discarded if a thread already runs it.
//
// Thread safety: the reactor's thread.
// Errors: reported in LookupResult.
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
  std::string host;     // forward lookup: the name
  std::string service;  // name or port number; may be empty
  int family = AF_UNSPEC;
  RawAddress address;  // reverse lookup if length is not 0
};

struct LookupResult {
  std::vector<RawAddress> addresses;
  std::string host;  // reverse
  std::string service;
  int eai = 0;    // EAI_*; 0: success
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
