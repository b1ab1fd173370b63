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

// Only where somebody had to wait.
TRUEASYNC_PHP_LOCAL std::map<const php_stream*, Turns>* turns = nullptr;

Turns* find(const php_stream& stream) noexcept {
  if (__builtin_expect(!turns, 1)) return nullptr;
  const auto found = turns->find(&stream);
  return found == turns->end() ? nullptr : &found->second;
}

}  // namespace

bool wait_for_turn(const php_stream& stream) noexcept {
  library_guarded([&] {
    if (!turns) turns = new std::map<const php_stream*, Turns>;
    Turns& of_stream = (*turns)[&stream];
    if (!of_stream.try_take()) of_stream.wait({}, executing_place());
  });
  return !EG(exception);
}

bool has_turns(const php_stream& stream) noexcept { return find(stream) != nullptr; }

bool pass_turn(const php_stream& stream) noexcept {
  Turns* found = find(stream);
  if (__builtin_expect(!found, 1)) return false;
  const bool is_wanted = !found->empty();
  if (is_wanted) {
    found->give_back();
  } else if (found->references() == 1) {  // not while one that was cancelled is still on its way out
    turns->erase(&stream);
  }
  return is_wanted;
}

void forget_turns() noexcept {
  delete turns;
  turns = nullptr;
}

}  // namespace trueasync::php::engine
