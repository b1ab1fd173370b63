// Context: values that travel with the work instead of through every signature – a request's id, its user, its
// transaction. Each scope and each coroutine has one, made when it is first used. A look-up goes from the coroutine to its
// scope and up the scopes; a scope without a parent sees nothing above itself (CX-05).
//
// Owns: shares of the values. Lifetime: a Context may outlive what it belongs to. Threads: the runtime's.
// Errors: ContextError from get() for what is not there, and from set() for what already is.
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
#include "trueasync/scope.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT ContextError : public Error {
 public:
  using Error::Error;
  ~ContextError() override;
};

// A typed key; what counts is the object, the name is for people:  inline const ContextKey<User> kUser{"user"};
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

// What a host keys by: a string, or the address of something that lives as long as the entry.
struct RawContextKey {
  const void* object = nullptr;
  std::string text;

  explicit RawContextKey(std::string_view key) : text(key) {}
  RawContextKey(const void* key, std::string_view name) : object(key), text(name) {}
  friend bool operator<(const RawContextKey& a, const RawContextKey& b) noexcept {
    return a.object != b.object ? std::less<const void*>()(a.object, b.object) : !a.object && a.text < b.text;
  }
};

enum class OnExisting : std::uint8_t { fail, replace };
enum class ContextLookup : std::uint8_t { inherited, local };

namespace detail {
struct ContextValues;
}

class TRUEASYNC_EXPORT Context {
 public:
  // Null when there is none.
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
  // True if it was here.
  template <class T>
  bool unset(const ContextKey<T>& key) {
    return unset_raw(raw(key));
  }

  // The same below the types, for hosts. A value is never null.
  std::shared_ptr<void> find_raw(const RawContextKey& key, ContextLookup where = ContextLookup::inherited) const;
  std::shared_ptr<void> get_raw(const RawContextKey& key, ContextLookup where = ContextLookup::inherited) const;
  void set_raw(const RawContextKey& key, std::shared_ptr<void> value, OnExisting existing = OnExisting::fail);
  bool unset_raw(const RawContextKey& key);
  // Of this context alone; `visit` must not change it.
  void each_raw(const std::function<void(const RawContextKey& key, const std::shared_ptr<void>& value)>& visit) const;

 private:
  friend TRUEASYNC_EXPORT Context context_of(const Scope& scope);
  friend TRUEASYNC_EXPORT Context context_of(const Coroutine& coroutine);
  friend TRUEASYNC_EXPORT Context make_child_context(const Scope& scope);
  Context(std::optional<Scope> above, std::shared_ptr<detail::ContextValues> values) noexcept;

  template <class T>
  static RawContextKey raw(const ContextKey<T>& key) {
    return RawContextKey(&key, key.name());
  }

  std::optional<Scope> parent_scope_;  // where a look-up goes on
  std::shared_ptr<detail::ContextValues> values_;
};

TRUEASYNC_EXPORT Context context_of(const Scope& scope);
TRUEASYNC_EXPORT Context context_of(const Coroutine& coroutine);
// A new one that belongs to nobody but its holder, and sees what the scope sees.
TRUEASYNC_EXPORT Context make_child_context(const Scope& scope);
// Of the current coroutine's scope; of the current coroutine itself; of the runtime's root.
TRUEASYNC_EXPORT Context current_context();
TRUEASYNC_EXPORT Context coroutine_context();
TRUEASYNC_EXPORT Context root_context();

}  // namespace trueasync
