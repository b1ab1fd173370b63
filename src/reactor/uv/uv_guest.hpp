// UvGuest: the link by which an event that stands in another list, too, learns that its reactor goes.
//
// Owns: nothing. Lifetime: a part of its owner. Threads: the reactor's.
#pragma once

#include "reactor/uv/uv_reactor.hpp"

namespace trueasync::detail {

template <class Owner>
class UvGuest final : public ReactorGuest {
 public:
  UvGuest(UvReactor& reactor, Owner& owner) noexcept : owner_(owner) { reactor.guests().push_back(*this); }
  UvGuest(const UvGuest&) = delete;
  UvGuest& operator=(const UvGuest&) = delete;
  ~UvGuest() {
    if (is_linked()) unlink();
  }

  void on_reactor_gone() noexcept override { owner_.on_reactor_gone(); }

 private:
  Owner& owner_;
};

}  // namespace trueasync::detail
