// Async\Scope, on the library's Scope.
//
// The library's scope exists as long as its coroutines, child scopes and handles. The PHP object is one handle. The
// data that PHP adds to a scope (ScopeExtension) exists as long as the library's scope.
//
// Ownership: an object created by `new` or inherit() owns a share of the scope, so its destruction may dispose the
// scope. Other objects are non-owning handles.
// Thread safety: the engine's thread only.
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
  // Releases the share. The last share disposes the scope: its coroutines are cancelled or become zombies.
  void on_destruct() noexcept;

  detail::ScopeState& state() const noexcept { return detail::Access::state(*scope); }
};

// ScopeExtension: PHP data of one scope.
struct ScopeExtension {
  ScopeObject* object = nullptr;   // null: no PHP object exists
  zend_object* context = nullptr;  // the scope's Async\Context; owns a reference
  bool is_not_safely = false;      // asNotSafely() was called

  ScopeExtension() = default;
  ScopeExtension(const ScopeExtension&) = delete;
  ScopeExtension& operator=(const ScopeExtension&) = delete;
  ~ScopeExtension();
};
// The extension of a scope; created on first use.
ScopeExtension& extension_of(detail::ScopeState& state);

// The PHP object of a scope; created on first use. The caller gets a reference.
zend_object* scope_object(detail::ScopeState& state);
// The scope of the running coroutine.
inline detail::ScopeState& current_scope() { return detail::Access::state(Scope::current()); }

// Creates a child of a scope object, or of the current scope if `parent` is null. Throws MisuseError if the parent is
// closed.
Scope inherit_scope(zval* parent);
// Called in a catch block for a failed spawn into the scope of `owner` (null: the current scope). For a closed scope it
// throws the PHP exception whose message programs compare, with the caught error as its previous exception. Otherwise
// it rethrows the caught error.
[[noreturn]] void rethrow_spawn_error(detail::CoroutineOwner* owner);

void register_scope();

}  // namespace trueasync::php
