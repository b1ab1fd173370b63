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
TRUEASYNC_PHP_LOCAL std::array<Use*, kBuckets> uses{};

// What others have let go of meanwhile, by what it belongs to.
TRUEASYNC_PHP_LOCAL std::vector<std::pair<const void*, zend_object*>>* left_behind = nullptr;

void release_left_behind(const void* thing) noexcept {
  std::vector<zend_object*> released;
  std::erase_if(*left_behind, [&](const auto& one) {
    if (one.first == thing) released.push_back(one.second);
    return one.first == thing;
  });
  for (zend_object* object : released) OBJ_RELEASE(object);
}

Use*& bucket_of(const void* thing) noexcept { return uses[(reinterpret_cast<std::uintptr_t>(thing) >> 4) % kBuckets]; }

}  // namespace

void Use::begin(const void* thing, CoroutineObject& user) noexcept {
  Use*& first = bucket_of(thing);
  thing_ = thing;
  user_ = &user;
  ++user.uses;
  next_ = std::exchange(first, this);
}

void Use::end() noexcept {
  Use** at = &bucket_of(thing_);
  while (*at && *at != this) at = &(*at)->next_;
  if (*at) *at = next_;
  if (user_) --user_->uses;
  if (__builtin_expect(left_behind && !left_behind->empty(), 0)) release_left_behind(thing_);
}

void Use::disown(CoroutineObject& user) noexcept {
  if (__builtin_expect(user.uses == 0, 1)) return;
  for (Use* use : uses) {
    for (; use; use = use->next_) {
      if (use->user_ == &user) use->user_ = nullptr;
    }
  }
}

const CoroutineObject* Use::of(const void* thing) noexcept {
  const Use* use = bucket_of(thing);
  while (use && (use->thing_ != thing || !use->user_)) use = use->next_;
  return use ? use->user_ : nullptr;
}

bool Alone::enter(const void* connection) noexcept {
  CoroutineObject* self = current();
  if (!self || !connection) return true;
  const CoroutineObject* user = Use::of(connection);
  if (user && user != self) {
    refuse(*user, "is using it", kOneEach);
    return false;
  }
  is_first_ = !user;
  if (is_first_) use_.begin(connection, *self);
  return true;
}

void Alone::leave() noexcept {
  if (is_first_) use_.end();
}

void use_alone(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  Alone alone;
  if (!alone.enter(connection)) return;
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  alone.leave();
  if (__builtin_expect(EG(exception) != nullptr, 0)) put_interruption_first();
}

void release_after_use(const void* thing, zend_object* object) noexcept {
  if (!left_behind) left_behind = new std::vector<std::pair<const void*, zend_object*>>;
  left_behind->emplace_back(thing, object);
}

// What was left behind is the engine's, which frees all objects now.
void forget_uses() noexcept {
  uses = {};
  delete std::exchange(left_behind, nullptr);
}

}  // namespace trueasync::php::engine
