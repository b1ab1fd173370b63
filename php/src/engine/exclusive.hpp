// One coroutine at a time inside the functions of a connection or handle: a second one would send its question into the
// first one's answer, wait for what that one has read, or free what it comes back to.
//
// Threads: the engine's. Errors: EG(exception).
#pragma once

#include "coroutine.hpp"
#include "engine/function_wrappers.hpp"

namespace trueasync::php::engine {

// Somebody is inside, for as long as this is on its stack. One that died with the stack is never looked at again:
// reset_exclusive_uses().
class ExclusiveUse {
 public:
  // Not if somebody is.
  void begin(const void* thing, CoroutineObject& user) noexcept;
  void end() noexcept;
  // Null: nobody.
  static const CoroutineObject* of(const void* thing) noexcept;
  // The coroutine goes. What a fiber of its has not left is nobody's: PHP's own affair.
  static void clear_owner(CoroutineObject& user) noexcept;

 private:
  const void* thing_ = nullptr;
  CoroutineObject* user_ = nullptr;
  ExclusiveUse* next_ = nullptr;
};

// The same for what one may be in at a time.
class ExclusiveAccess {
 public:
  // Null: any number may be. False: another coroutine is in there, EG(exception) is set.
  bool enter(const void* connection) noexcept;
  void leave() noexcept;

 private:
  ExclusiveUse use_;
  bool is_first_ = false;  // it may be called back in there
};

// Runs the original if no other coroutine is in there already; throws if one is. Null: any number may be. What ended a wait
// of the original is what comes out of it, also when it throws an error of its own about that.
void call_exclusively(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

// The object is released when the one who is inside has left. The reference is taken over.
void release_when_unused(const void* thing, zend_object* object) noexcept;

// Nobody comes back from where they are: the request died.
void reset_exclusive_uses() noexcept;

}  // namespace trueasync::php::engine
