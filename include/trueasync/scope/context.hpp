// Context: values that are inherited through scopes instead of passed through every signature, such as a request id.
//
// Each scope and each coroutine has one context, created on first use. A lookup starts at the coroutine, continues in
// its scope and then in the parent scopes. A scope without a parent inherits nothing.
//
// Ownership: shares of the values.
// Lifetime: may outlive its scope or coroutine.
// Thread safety: one runtime.
// Errors: get() throws ContextError if the key is not set, set() if it is already set.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "trueasync/coroutine.hpp"
#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/scope/scope.hpp"

namespace trueasync {

// ContextError: a key is missing or already set.
class TRUEASYNC_EXPORT ContextError : public Error {
 public:
  using Error::Error;
  ~ContextError() override;
};

// ContextKey: a typed key. The object identifies the key, the name is for error messages: inline const ContextKey<User>
// kUser{"user"};
template <class T>
class ContextKey {
 public:
  explicit constexpr ContextKey(const char* name) noexcept : name_(name) {}
  ContextKey(const ContextKey&) = delete;
  ContextKey& operator=(const ContextKey&) = delete;
  const char* name() const noexcept { return name_; }

 private:
  const char* name_;
};

// RawContextKey: an untyped key for hosts: a string, or the address of an object that stays valid as long as the entry.
struct RawContextKey {
  const void* object = nullptr;
  std::string text;

  explicit RawContextKey(std::string_view key) : text(key) {}
  RawContextKey(const void* key, std::string_view name) : object(key), text(name) {}
  friend bool operator<(const RawContextKey& a, const RawContextKey& b) noexcept {
    return a.object != b.object ? std::less<const void*>()(a.object, b.object) : !a.object && a.text < b.text;
  }
};

// OnExisting: what set() does if the key is already set.
enum class OnExisting : std::uint8_t { fail, replace };
// ContextLookup: whether a lookup continues in the parent scopes.
enum class ContextLookup : std::uint8_t { inherited, local };

namespace detail {
struct ContextValues;
}

class TRUEASYNC_EXPORT Context {
 public:
  // The value, or null if the key is not set.
  template <class T>
  std::shared_ptr<T> find(const ContextKey<T>& key, ContextLookup where = ContextLookup::inherited) const {
    return std::static_pointer_cast<T>(find_raw(raw(key), where));
  }
  template <class T>
  std::shared_ptr<T> find_local(const ContextKey<T>& key) const {
    return find(key, ContextLookup::local);
  }
  template <std::copy_constructible T>
  T get(const ContextKey<T>& key, ContextLookup where = ContextLookup::inherited) const {
    return *std::static_pointer_cast<T>(get_raw(raw(key), where));
  }
  template <std::copy_constructible T>
  T get_local(const ContextKey<T>& key) const {
    return get(key, ContextLookup::local);
  }
  template <class T>
  bool has(const ContextKey<T>& key, ContextLookup where = ContextLookup::inherited) const {
    return find_raw(raw(key), where) != nullptr;
  }
  template <class T>
  bool has_local(const ContextKey<T>& key) const {
    return has(key, ContextLookup::local);
  }
  template <class T>
  Context& set(const ContextKey<T>& key, std::type_identity_t<T> value, OnExisting existing = OnExisting::fail) {
    set_raw(raw(key), std::make_shared<T>(std::move(value)), existing);
    return *this;
  }
  // Removes the value from this context. Returns true if it was set here.
  template <class T>
  bool unset(const ContextKey<T>& key) {
    return unset_raw(raw(key));
  }

  // Untyped access, for hosts. A value is never null.
  std::shared_ptr<void> find_raw(const RawContextKey& key, ContextLookup where = ContextLookup::inherited) const;
  std::shared_ptr<void> get_raw(const RawContextKey& key, ContextLookup where = ContextLookup::inherited) const;
  void set_raw(const RawContextKey& key, std::shared_ptr<void> value, OnExisting existing = OnExisting::fail);
  bool unset_raw(const RawContextKey& key);
  // Visits the values of this context, without inherited values. `visit` must not change the context.
  void for_each_raw(
      const std::function<void(const RawContextKey& key, const std::shared_ptr<void>& value)>& visit) const;

 private:
  friend TRUEASYNC_EXPORT Context context_of(const ScopeRef& scope);
  friend TRUEASYNC_EXPORT Context context_of(const Coroutine& coroutine);
  friend TRUEASYNC_EXPORT Context make_child_context(const ScopeRef& scope);
  Context(std::optional<ScopeRef> parent_scope, std::shared_ptr<detail::ContextValues> values) noexcept;

  template <class T>
  static RawContextKey raw(const ContextKey<T>& key) {
    return RawContextKey(&key, key.name());
  }

  std::optional<ScopeRef> parent_scope_;  // where an inherited lookup continues
  std::shared_ptr<detail::ContextValues> values_;
};

TRUEASYNC_EXPORT Context context_of(const ScopeRef& scope);
TRUEASYNC_EXPORT Context context_of(const Coroutine& coroutine);
// Creates a context that belongs to its holder only and inherits from the scope.
TRUEASYNC_EXPORT Context make_child_context(const ScopeRef& scope);
// The context of the current coroutine's scope, of the current coroutine, and of the root scope.
TRUEASYNC_EXPORT Context current_context();
TRUEASYNC_EXPORT Context coroutine_context();
TRUEASYNC_EXPORT Context root_context();

}  // namespace trueasync
