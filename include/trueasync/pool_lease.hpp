// Lease: the right to use one resource of a pool. It is released at the end of its scope, also during unwinding.
//
// Ownership: the lease, not the resource.
// Lifetime: may outlive the pool; the resource is then destroyed on release.
// Thread safety: one runtime.
// Errors: release() throws errors of hooks; the destructor passes them to PoolOptions::on_error.
#pragma once

#include <concepts>
#include <utility>

#include "trueasync/detail/pool_base.hpp"

namespace trueasync {

template <class T>
class [[nodiscard]] Lease {
 public:
  Lease() noexcept = default;
  // Constructs the handle in place from the result of `take`, without a copy.
  template <std::invocable F>
  explicit Lease(F&& take) : handle_(std::forward<F>(take)()) {}
  Lease(Lease&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Lease& operator=(Lease&& other) noexcept {
    Lease old(std::move(*this));
    handle_ = std::exchange(other.handle_, {});
    return *this;
  }
  ~Lease() {
    if (handle_) detail::drop_lease(handle_);
  }

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  T* get() const noexcept { return static_cast<T*>(handle_.resource); }
  T& operator*() const noexcept { return *get(); }
  T* operator->() const noexcept { return get(); }

  // Sets the state in which the resource will be released.
  void mark(ResourceState state) noexcept { handle_.state = state; }
  ResourceState state() const noexcept { return handle_.state; }
  // Releases the lease now. A second release throws MisuseError and has no effect.
  void release() { detail::release_lease(std::exchange(handle_, {})); }
  // Releases the lease and destroys the resource.
  void discard() {
    mark(ResourceState::broken);
    release();
  }
  const detail::LeaseHandle& handle() const noexcept { return handle_; }

 private:
  detail::LeaseHandle handle_;
};

}  // namespace trueasync
