#include "engine/exclusive.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/blocking_calls.hpp"
#include "engine/in_use.hpp"
#include "engine/runtime.hpp"

namespace trueasync::php::engine {

namespace {

constexpr std::size_t kBuckets = 256;
TRUEASYNC_PHP_LOCAL std::array<ExclusiveUse*, kBuckets> uses{};

// What others have let go of meanwhile, by what it belongs to.
TRUEASYNC_PHP_LOCAL std::vector<std::pair<const void*, zend_object*>>* deferred_releases = nullptr;

void release_left_behind(const void* thing) noexcept {
  std::vector<zend_object*> released;
  std::erase_if(*deferred_releases, [&](const auto& one) {
    if (one.first == thing) released.push_back(one.second);
    return one.first == thing;
  });
  for (zend_object* object : released) OBJ_RELEASE(object);
}

ExclusiveUse*& bucket_of(const void* thing) noexcept {
  return uses[(reinterpret_cast<std::uintptr_t>(thing) >> 4) % kBuckets];
}

}  // namespace

void ExclusiveUse::begin(const void* thing, CoroutineObject& user) noexcept {
  ExclusiveUse*& first = bucket_of(thing);
  thing_ = thing;
  user_ = &user;
  ++user.exclusive_use_count;
  next_ = std::exchange(first, this);
}

void ExclusiveUse::end() noexcept {
  ExclusiveUse** at = &bucket_of(thing_);
  while (*at && *at != this) at = &(*at)->next_;
  if (*at) *at = next_;
  if (user_) --user_->exclusive_use_count;
  if (__builtin_expect(deferred_releases && !deferred_releases->empty(), 0)) release_left_behind(thing_);
}

void ExclusiveUse::clear_owner(CoroutineObject& user) noexcept {
  if (__builtin_expect(user.exclusive_use_count == 0, 1)) return;
  for (ExclusiveUse* use : uses) {
    for (; use; use = use->next_) {
      if (use->user_ == &user) use->user_ = nullptr;
    }
  }
}

const CoroutineObject* ExclusiveUse::of(const void* thing) noexcept {
  const ExclusiveUse* use = bucket_of(thing);
  while (use && (use->thing_ != thing || !use->user_)) use = use->next_;
  return use ? use->user_ : nullptr;
}

bool ExclusiveAccess::enter(const void* connection) noexcept {
  CoroutineObject* self = current();
  if (!self || !connection) return true;
  const CoroutineObject* user = ExclusiveUse::of(connection);
  if (user && user != self) {
    throw_in_use(*user, "is using it", kOneEach);
    return false;
  }
  is_first_ = !user;
  if (is_first_) use_.begin(connection, *self);
  return true;
}

void ExclusiveAccess::leave() noexcept {
  if (is_first_) use_.end();
}

void call_exclusively(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  ExclusiveAccess alone;
  if (!alone.enter(connection)) return;
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  alone.leave();
  if (__builtin_expect(EG(exception) != nullptr, 0)) prefer_interruption();
}

void release_when_unused(const void* thing, zend_object* object) noexcept {
  if (!deferred_releases) deferred_releases = new std::vector<std::pair<const void*, zend_object*>>;
  deferred_releases->emplace_back(thing, object);
}

// What was left behind is the engine's, which frees all objects now.
void reset_exclusive_uses() noexcept {
  uses = {};
  delete std::exchange(deferred_releases, nullptr);
}

}  // namespace trueasync::php::engine
