#include "engine/exclusive_access.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/blocking_calls.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

namespace {

constexpr std::size_t kBuckets = 256;
TRUEASYNC_PHP_LOCAL std::array<ExclusiveUse*, kBuckets> uses{};

// Objects to release at the end of a use, with the key of that use.
TRUEASYNC_PHP_LOCAL std::vector<std::pair<const void*, zend_object*>>* deferred_releases = nullptr;

void release_deferred(const void* key) noexcept {
  std::vector<zend_object*> released;
  std::erase_if(*deferred_releases, [&](const auto& entry) {
    if (entry.first == key) released.push_back(entry.second);
    return entry.first == key;
  });
  for (zend_object* object : released) OBJ_RELEASE(object);
}

ExclusiveUse*& bucket_of(const void* key) noexcept {
  return uses[(reinterpret_cast<std::uintptr_t>(key) >> 4) % kBuckets];
}

bool has_frame(const CoroutineObject& coroutine, FramePredicate matches, const void* key) noexcept {
  for (const auto* frame = coroutine.state.current_execute_data; frame; frame = frame->prev_execute_data) {
    const bool is_internal = frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION;
    if (is_internal && frame->func->internal_function.module && matches(*frame, key)) return true;
  }
  return false;
}

// "fgets(), app.php:12"
std::string describe_location(const CoroutineObject& other) {
  const std::string location = detail::format_location(other.block().suspend_location);
  std::string text = describe_waiting_function(other);
  if (text.empty()) return location;
  text.replace(text.rfind(": "), 2, location.empty() ? "" : ", ");
  return text + location;
}

}  // namespace

void ExclusiveUse::begin(const void* key, CoroutineObject& user) noexcept {
  ExclusiveUse*& first = bucket_of(key);
  key_ = key;
  user_ = &user;
  ++user.exclusive_use_count;
  next_ = std::exchange(first, this);
}

void ExclusiveUse::end() noexcept {
  ExclusiveUse** link = &bucket_of(key_);
  while (*link && *link != this) link = &(*link)->next_;
  if (*link) *link = next_;
  if (user_) --user_->exclusive_use_count;
  if (__builtin_expect(deferred_releases && !deferred_releases->empty(), 0)) release_deferred(key_);
}

void ExclusiveUse::clear_owner(CoroutineObject& user) noexcept {
  if (__builtin_expect(user.exclusive_use_count == 0, 1)) return;
  for (ExclusiveUse* use : uses) {
    for (; use; use = use->next_) {
      if (use->user_ == &user) use->user_ = nullptr;
    }
  }
}

const CoroutineObject* ExclusiveUse::of(const void* key) noexcept {
  const ExclusiveUse* use = bucket_of(key);
  while (use && (use->key_ != key || !use->user_)) use = use->next_;
  return use ? use->user_ : nullptr;
}

bool ExclusiveAccess::enter(const void* connection) noexcept {
  CoroutineObject* self = current();
  if (!self || !connection) return true;
  const CoroutineObject* user = ExclusiveUse::of(connection);
  if (user && user != self) {
    throw_in_use(*user, "Connection or handle", kUseSeparateHandles);
    return false;
  }
  is_outermost_ = !user;
  if (is_outermost_) use_.begin(connection, *self);
  return true;
}

void ExclusiveAccess::leave() noexcept {
  if (is_outermost_) use_.end();
}

void call_exclusively(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  ExclusiveAccess access;
  if (!access.enter(connection)) return;
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  access.leave();
  if (__builtin_expect(EG(exception) != nullptr, 0)) prefer_interruption();
}

void release_when_unused(const void* key, zend_object* object) noexcept {
  if (!deferred_releases) deferred_releases = new std::vector<std::pair<const void*, zend_object*>>;
  deferred_releases->emplace_back(key, object);
}

void reset_exclusive_uses() noexcept {
  uses = {};
  // The objects are not released here: the engine frees all objects at the end of the request.
  delete std::exchange(deferred_releases, nullptr);
}

const CoroutineObject* find_other_user(FramePredicate matches, const void* key) noexcept {
  if (!scheduler) return nullptr;
  for (const detail::ControlBlock* block : scheduler->live_coroutines()) {
    const auto* coroutine = static_cast<const CoroutineObject*>(block->host);
    if (!coroutine || block == scheduler->running() || block->phase != detail::Phase::suspended) continue;
    if (has_frame(*coroutine, matches, key)) return coroutine;
  }
  return nullptr;
}

void throw_in_use(const CoroutineObject& other, const char* object, const char* hint) noexcept {
  zend_string* function = get_function_or_method_name(EG(current_execute_data)->func);
  catch_to_php([&] {
    throw_exception(exceptions.async, std::string(ZSTR_VAL(function)) + "(): " + object + " is in use by coroutine " +
                                          detail::coroutine_label(other.block()) + " (" + describe_location(other) +
                                          "); " + hint);
  });
  zend_string_release(function);
}

}  // namespace trueasync::php::engine
