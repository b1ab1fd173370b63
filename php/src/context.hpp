// Async\Context: the library's context with PHP values in it.
//
// Owns: shares of the values. Lifetime: a scope's object lives with its scope, a coroutine's with the Coroutine object;
// both may outlive that. Threads: the engine's.
#pragma once

#include <optional>

#include "coroutine.hpp"
#include "scope/scope_state.hpp"
#include "support/object.hpp"
#include "trueasync/context.hpp"

namespace trueasync::php {

struct ContextObject {
  static constexpr bool kConstructible = false;

  std::optional<Context> context;  // never empty once it is made

  void report(GcBuffer& buffer) noexcept;
};

// The objects of a scope and of a coroutine; the caller gets a reference.
zend_object* context_object(detail::ScopeState& scope);
zend_object* context_object(CoroutineObject& coroutine);

void register_context();

}  // namespace trueasync::php
