// Async\Scope.
//
// The library's scope lives as long as its coroutines, child scopes and handles; the object is one handle. What PHP adds
// to a scope (ScopeExtension) lives with the library's.
//
// Owns: an object made by new or inherit() a share in the disposal; others only name a scope. Threads: the engine's.
#pragma once

#include <optional>

#include "scope/scope_state.hpp"
#include "support/object.hpp"

namespace trueasync::php {

struct ScopeObject {
  std::optional<ScopeRef> scope;  // empty only before the constructor
  std::optional<Scope> share;     // of an object made by new or inherit(), until its destructor

  ~ScopeObject();
  void report(GcBuffer& buffer) noexcept;
  // The last one who owned it has gone: what runs is cancelled, or let go.
  void on_destruct() noexcept;

  detail::ScopeState& state() const noexcept { return detail::Access::state(*scope); }
};

// What PHP keeps with each scope.
struct ScopeExtension {
  ScopeObject* object = nullptr;   // while there is one
  zend_object* context = nullptr;  // its Async\Context; owned
  bool is_not_safely = false;

  ScopeExtension() = default;
  ScopeExtension(const ScopeExtension&) = delete;
  ScopeExtension& operator=(const ScopeExtension&) = delete;
  ~ScopeExtension();
};
ScopeExtension& host_of(detail::ScopeState& state);

// The object of a scope; the caller gets a reference.
zend_object* scope_object(detail::ScopeState& state);
// The scope of the running coroutine.
inline detail::ScopeState& current_scope() { return detail::Access::state(Scope::current()); }

void register_scope();

}  // namespace trueasync::php
