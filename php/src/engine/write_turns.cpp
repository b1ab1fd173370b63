#include "engine/write_turns.hpp"

#include <map>

#include "support/library_call.hpp"
#include "support/source_location.hpp"
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

bool lock_stream_writes(const php_stream& stream) noexcept {
  catch_to_php_with_bailout([&] {
    if (!turns) turns = new std::map<const php_stream*, Turns>;
    Turns& of_stream = (*turns)[&stream];
    if (!of_stream.try_acquire()) of_stream.wait({}, executing_location());
  });
  return !EG(exception);
}

bool has_write_waiters(const php_stream& stream) noexcept { return find(stream) != nullptr; }

bool unlock_stream_writes(const php_stream& stream) noexcept {
  Turns* found = find(stream);
  if (__builtin_expect(!found, 1)) return false;
  const bool is_wanted = !found->empty();
  if (is_wanted) {
    found->release_permit();
  } else if (found->references() == 1) {  // not while one that was cancelled is still on its way out
    turns->erase(&stream);
  }
  return is_wanted;
}

void reset_write_locks() noexcept {
  delete turns;
  turns = nullptr;
}

}  // namespace trueasync::php::engine
