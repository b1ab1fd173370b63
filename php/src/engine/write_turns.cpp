#include "engine/write_turns.hpp"

#include <map>

#include "support/library_call.hpp"
#include "support/place.hpp"
#include "trueasync/detail/wait_queue.hpp"

namespace trueasync::php::engine {

namespace {

// A turn is a permit that goes from one to the next.
struct Turns : detail::PermitQueue {
  Turns() noexcept : PermitQueue("its turn to write", 0) {}
};

// By the number of the stream, which no other gets in the same request. Only where somebody had to wait.
TRUEASYNC_PHP_LOCAL std::map<zend_long, Turns>* turns = nullptr;

Turns* find(const zend_resource& stream) noexcept {
  if (__builtin_expect(!turns, 1)) return nullptr;
  const auto found = turns->find(stream.handle);
  return found == turns->end() ? nullptr : &found->second;
}

}  // namespace

bool wait_for_turn(const zend_resource& stream) noexcept {
  library_guarded([&] {
    if (!turns) turns = new std::map<zend_long, Turns>;
    Turns& of_stream = (*turns)[stream.handle];
    if (!of_stream.try_take()) of_stream.wait({}, executing_place());
  });
  return !EG(exception);
}

bool is_turn_free(const zend_resource& stream) noexcept {
  const Turns* found = find(stream);
  return found && found->free() != 0;
}

bool pass_turn(const zend_resource& stream) noexcept {
  Turns* found = find(stream);
  if (__builtin_expect(!found, 1)) return false;
  const bool is_wanted = !found->empty();
  if (is_wanted) {
    found->give_back();
  } else {
    turns->erase(stream.handle);
  }
  return is_wanted;
}

void forget_turns() noexcept {
  delete turns;
  turns = nullptr;
}

}  // namespace trueasync::php::engine
