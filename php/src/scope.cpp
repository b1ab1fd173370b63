#include "scope.hpp"

#include "engine/runtime.hpp"
#include "generated/scope_arginfo.h"
#include "interfaces.hpp"
#include "scope_handlers.hpp"

namespace trueasync::php {

ScopeObject::~ScopeObject() {
  if (!scope) return;
  ScopeExtension& host = host_of(state());
  if (host.object == this) host.object = nullptr;
}

void ScopeObject::on_destruct() noexcept { share.reset(); }

// What the scope holds belongs to this object only where nobody else keeps the scope: who runs in it may need it.
void ScopeObject::report(GcBuffer& buffer) noexcept {
  if (!scope || state().references() != (share ? 2u : 1u)) return;  // `scope` and `share` are this object's
  for (const ScopeErrorHandler* handler : {&state().on_error, &state().on_child_error}) {
    if (const auto* call = handler->target<ScopeErrorCall>()) call->report(buffer);
  }
  for (const auto& handler : state().finally_handlers()) {
    if (const auto* call = handler.target<ScopeFinallyCall>()) buffer.add(call->callable());
  }
  buffer.add(host_of(state()).context);
}

// Values have destructors; a scope may die where nothing can wait.
ScopeExtension::~ScopeExtension() {
  if (!context) return;
  std::optional<detail::Scheduler::NoSuspend> guard;
  if (engine::scheduler) guard.emplace(*engine::scheduler, "the destructor of a value in the context of a scope");
  OBJ_RELEASE(context);
}

ScopeExtension& host_of(detail::ScopeState& state) {
  if (!state.host) state.host = std::make_shared<ScopeExtension>();
  return *static_cast<ScopeExtension*>(state.host.get());
}

zend_object* scope_object(detail::ScopeState& state) {
  ScopeExtension& host = host_of(state);
  if (!host.object) {
    ScopeObject& made = Class<ScopeObject>::make();
    made.scope = detail::Access::scope(Ref<detail::ScopeState>(&state));
    host.object = &made;
    return Class<ScopeObject>::object_of(made);
  }
  zend_object* object = Class<ScopeObject>::object_of(*host.object);
  GC_ADDREF(object);
  return object;
}

void register_scope() { Class<ScopeObject>::setup(register_class_Async_Scope(interfaces.scope_provider)); }

}  // namespace trueasync::php
