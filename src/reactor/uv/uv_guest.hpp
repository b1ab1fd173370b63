// ReactorObserverLink: the link by which an event that stands in another list, too, learns that its reactor goes.
//
// Owns: nothing. Lifetime: a part of its owner. Threads: the reactor's.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"

namespace trueasync::detail {

template <class Owner>
class ReactorObserverLink final : public ReactorObserver {
 public:
  ReactorObserverLink(EpollReactor& reactor, Owner& owner) noexcept : owner_(owner) {
    reactor.observers().push_back(*this);
  }
  ReactorObserverLink(const ReactorObserverLink&) = delete;
  ReactorObserverLink& operator=(const ReactorObserverLink&) = delete;
  ~ReactorObserverLink() {
    if (is_linked()) unlink();
  }

  void on_reactor_closed() noexcept override { owner_.on_reactor_closed(); }

 private:
  Owner& owner_;
};

}  // namespace trueasync::detail
