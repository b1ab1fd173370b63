// Lease: a resource of a pool in somebody's hands. It goes back at the end of the scope, also when an exception or a
// cancellation unwinds it.
//
// Owns: the right to the resource. Lifetime: may outlive its pool; the resource is destroyed then when it comes back.
// Threads: the runtime's. Errors: release() throws what hooks threw; the destructor gives them to PoolOptions::on_error.
#pragma once

#include <concepts>
#include <utility>

#include "trueasync/detail/pool_base.hpp"

namespace trueasync {

template <class T>
class [[nodiscard]] Lease {
 public:
  Lease() noexcept = default;
  // Of what `take` returns: it is made in place, not copied.
  template <std::invocable F>
  explicit Lease(F&& take) : ticket_(std::forward<F>(take)()) {}
  Lease(Lease&& other) noexcept : ticket_(std::exchange(other.ticket_, {})) {}
  Lease& operator=(Lease&& other) noexcept {
    Lease old(std::move(*this));
    ticket_ = std::exchange(other.ticket_, {});
    return *this;
  }
  ~Lease() {
    if (ticket_) detail::drop_lease(ticket_);
  }

  explicit operator bool() const noexcept { return static_cast<bool>(ticket_); }
  T* get() const noexcept { return static_cast<T*>(ticket_.resource); }
  T& operator*() const noexcept { return *get(); }
  T* operator->() const noexcept { return get(); }

  // What the one who has it knows about its state.
  void mark(ResourceState condition) noexcept { ticket_.state = condition; }
  ResourceState state() const noexcept { return ticket_.state; }
  // Gives it back now. A second time is a MisuseError, and changes nothing.
  void release() { detail::release_lease(std::exchange(ticket_, {})); }
  // The same for one that is of no use any more.
  void discard() {
    mark(ResourceState::broken);
    release();
  }
  const detail::LeaseHandle& handle() const noexcept { return ticket_; }

 private:
  detail::LeaseHandle ticket_;
};

}  // namespace trueasync
