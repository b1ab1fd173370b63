#include "engine/exclusive.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "engine/blocking_calls.hpp"
#include "engine/in_use.hpp"
#include "engine/runtime.hpp"

namespace trueasync::php::engine {

namespace {

constexpr std::size_t kBuckets = 256;
TRUEASYNC_PHP_LOCAL std::array<Use*, kBuckets> uses{};

Use*& bucket_of(const void* thing) noexcept { return uses[(reinterpret_cast<std::uintptr_t>(thing) >> 4) % kBuckets]; }

}  // namespace

void Use::begin(const void* thing, const CoroutineObject& user) noexcept {
  Use*& first = bucket_of(thing);
  thing_ = thing;
  user_ = &user;
  next_ = std::exchange(first, this);
}

void Use::end() noexcept {
  Use** at = &bucket_of(thing_);
  while (*at && *at != this) at = &(*at)->next_;
  if (*at) *at = next_;
}

const CoroutineObject* Use::of(const void* thing) noexcept {
  const Use* use = bucket_of(thing);
  while (use && use->thing_ != thing) use = use->next_;
  return use ? use->user_ : nullptr;
}

void use_alone(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  const CoroutineObject* self = current();
  const CoroutineObject* user = self && connection ? Use::of(connection) : nullptr;
  if (user && user != self) return refuse(*user, "is using it");
  if (self && connection && !user) {
    Use use;
    use.begin(connection, *self);
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    use.end();
  } else {
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  if (__builtin_expect(EG(exception) != nullptr, 0)) put_interruption_first();
}

void forget_uses() noexcept { uses = {}; }

}  // namespace trueasync::php::engine
