#include "trueasync/scope/context.hpp"

#include <map>

#include "scheduler/api_support.hpp"
#include "scheduler/control_block.hpp"
#include "scope/scope_state.hpp"

namespace trueasync {

namespace detail {

struct ContextValues {
  std::map<RawContextKey, std::shared_ptr<void>> values;

  std::shared_ptr<void> find(const RawContextKey& key) const {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : found->second;
  }
};

}  // namespace detail

using detail::ContextValues;
using detail::ScopeState;

ContextError::~ContextError() = default;

Context::Context(std::optional<ScopeRef> parent_scope, std::shared_ptr<ContextValues> values) noexcept
    : parent_scope_(std::move(parent_scope)), values_(std::move(values)) {}

std::shared_ptr<void> Context::find_raw(const RawContextKey& key, ContextLookup where) const {
  if (auto value = values_->find(key)) return value;
  if (where == ContextLookup::local) return nullptr;
  for (const ScopeState* scope = parent_scope_ ? &detail::Access::state(*parent_scope_) : nullptr; scope;
       scope = scope->parent()) {
    if (!scope->context) continue;
    if (auto value = scope->context->find(key)) return value;
  }
  return nullptr;
}

std::shared_ptr<void> Context::get_raw(const RawContextKey& key, ContextLookup where) const {
  auto value = find_raw(key, where);
  if (!value) throw ContextError("Context::get: key \"" + key.text + "\" is not set");
  return value;
}

void Context::set_raw(const RawContextKey& key, std::shared_ptr<void> value, OnExisting existing) {
  auto [entry, is_new] = values_->values.try_emplace(key, nullptr);
  if (!is_new && existing == OnExisting::fail) {
    throw ContextError("Context::set: key \"" + key.text + "\" is already set; use OnExisting::replace to replace it");
  }
  // The old value is destroyed after the swap, because its destructor may use this context.
  std::swap(entry->second, value);
}

bool Context::unset_raw(const RawContextKey& key) { return !values_->values.extract(key).empty(); }

void Context::for_each_raw(const std::function<void(const RawContextKey&, const std::shared_ptr<void>&)>& visit) const {
  for (const auto& [key, value] : values_->values) visit(key, value);
}

Context context_of(const ScopeRef& scope) {
  ScopeState& state = detail::Access::state(scope);
  if (!state.context) state.context = std::make_shared<ContextValues>();
  return Context(scope.parent(), state.context);
}

Context context_of(const Coroutine& coroutine) {
  detail::ControlBlock& block = *detail::Access::block(coroutine);
  detail::require_owner_thread(block, "context_of");
  detail::CoroutineExtras& extras = block.ensure_extras();
  if (!extras.context) extras.context = std::make_shared<ContextValues>();
  return Context(detail::Access::scope(Ref<ScopeState>(&ScopeState::of(block))),
                 std::static_pointer_cast<ContextValues>(extras.context));
}

Context make_child_context(const ScopeRef& scope) { return Context(scope, std::make_shared<ContextValues>()); }

Context current_context() { return context_of(Scope::current()); }
Context coroutine_context() { return context_of(current_coroutine()); }
Context root_context() { return context_of(Scope::root()); }

}  // namespace trueasync
