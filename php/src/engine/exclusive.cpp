#include "engine/exclusive.hpp"

#include <array>
#include <cstdint>

#include "engine/blocking_calls.hpp"
#include "engine/in_use.hpp"
#include "engine/runtime.hpp"

namespace trueasync::php::engine {

namespace {

// On the stack of whoever is inside. One that died with it is never looked at again: forget_uses().
struct Use {
  const void* connection;
  const CoroutineObject* user;
  Use* next;
};

constexpr std::size_t kBuckets = 256;
TRUEASYNC_PHP_LOCAL std::array<Use*, kBuckets> uses{};

Use*& bucket_of(const void* connection) noexcept {
  return uses[(reinterpret_cast<std::uintptr_t>(connection) >> 4) % kBuckets];
}

const Use* find(const void* connection) noexcept {
  const Use* use = bucket_of(connection);
  while (use && use->connection != connection) use = use->next;
  return use;
}

void take_out(const Use& use) noexcept {
  Use** at = &bucket_of(use.connection);
  while (*at && *at != &use) at = &(*at)->next;
  if (*at) *at = use.next;
}

}  // namespace

void use_alone(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  const CoroutineObject* self = current();
  const Use* other = self && connection ? find(connection) : nullptr;
  if (other && other->user != self) return refuse(*other->user, "is using it");
  if (self && connection && !other) {
    Use*& first = bucket_of(connection);
    Use use{connection, self, first};
    first = &use;
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    take_out(use);
  } else {
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  if (__builtin_expect(EG(exception) != nullptr, 0)) put_interruption_first();
}

void forget_uses() noexcept { uses = {}; }

}  // namespace trueasync::php::engine
