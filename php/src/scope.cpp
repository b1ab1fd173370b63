#include "scope.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "generated/scope_arginfo.h"
#include "interfaces.hpp"
#include "scope_handlers.hpp"
#include "support/error.hpp"

namespace trueasync::php {

ScopeObject::~ScopeObject() {
  if (!scope) return;
  ScopeExtension& extension = extension_of(state());
  if (extension.object == this) extension.object = nullptr;
}

void ScopeObject::on_destruct() noexcept { share.reset(); }

// The handlers and the context belong to this object only if it holds the only reference to the scope. A coroutine in
// the scope also holds a reference and may need them.
void ScopeObject::report(GcBuffer& buffer) noexcept {
  if (!scope || state().references() != (share ? 2u : 1u)) return;  // `scope` and `share` are this object's
  for (const ScopeErrorHandler* handler : {&state().on_error, &state().on_child_error}) {
    if (const auto* call = handler->target<ScopeErrorCall>()) call->report(buffer);
  }
  for (const auto& handler : state().finally_handlers()) {
    if (const auto* call = handler.target<ScopeFinallyCall>()) buffer.add(call->callable());
  }
  buffer.add(extension_of(state()).context);
}

// Releasing the context runs destructors of its values. They must not suspend, because a scope may be destroyed where
// no coroutine can wait.
ScopeExtension::~ScopeExtension() {
  if (!context) return;
  std::optional<detail::Scheduler::NoSuspend> guard;
  if (engine::scheduler) guard.emplace(*engine::scheduler, "the destructor of a value in the context of a scope");
  OBJ_RELEASE(context);
}

ScopeExtension& extension_of(detail::ScopeState& state) {
  if (!state.host) state.host = std::make_shared<ScopeExtension>();
  return *static_cast<ScopeExtension*>(state.host.get());
}

zend_object* scope_object(detail::ScopeState& state) {
  ScopeExtension& extension = extension_of(state);
  if (!extension.object) {
    ScopeObject& created = Class<ScopeObject>::make();
    created.scope = detail::Access::scope(Ref<detail::ScopeState>(&state));
    extension.object = &created;
    return Class<ScopeObject>::object_of(created);
  }
  zend_object* object = Class<ScopeObject>::object_of(*extension.object);
  GC_ADDREF(object);
  return object;
}

Scope inherit_scope(zval* parent) {
  ScopeObject* object = parent ? &Class<ScopeObject>::self(parent) : nullptr;
  const detail::ScopeState& state = object ? object->state() : current_scope();
  if (state.is_closed()) throw MisuseError("Cannot create a child scope of a closed scope");
  return object ? Scope::inherit(*object->scope) : Scope::inherit();
}

void rethrow_spawn_error(detail::CoroutineOwner* owner) {
  const detail::ScopeState& scope = owner ? detail::ScopeState::of(*owner) : current_scope();
  if (!scope.is_closed()) throw;
  zend_object* details = to_php(std::current_exception());
  throw PhpException(make_exception(exceptions.async, "Cannot spawn a coroutine in a closed scope", details));
}

void register_scope() { Class<ScopeObject>::setup(register_class_Async_Scope(interfaces.scope_provider)); }

}  // namespace trueasync::php
