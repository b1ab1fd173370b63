// Async\Context: the library's ta::Context with PHP values.
//
// Ownership: references to keys and values.
// Lifetime: a scope keeps its context object alive, a Coroutine object keeps that of the coroutine. Other references may
// keep a context object alive longer.
// Thread safety: the engine's thread only.
#pragma once

#include <optional>

#include "coroutine.hpp"
#include "scope/scope_state.hpp"
#include "support/object.hpp"
#include "trueasync/scope/context.hpp"

namespace trueasync::php {

struct ContextObject {
  static constexpr bool kConstructible = false;

  std::optional<Context> context;  // set by context_object()

  void report(GcBuffer& buffer) noexcept;
};

// The context object of a scope or coroutine, created on demand. The caller gets a reference.
zend_object* context_object(detail::ScopeState& scope);
zend_object* context_object(CoroutineObject& coroutine);

void register_context();

}  // namespace trueasync::php
