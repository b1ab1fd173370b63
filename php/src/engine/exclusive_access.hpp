// Exclusive access to a connection, handle or stream.
//
// Only one coroutine at a time may be inside the functions of such an object. A second coroutine would send its request
// into the response of the first, or free or refill a buffer to which the suspended function keeps pointers.
//
// Thread safety: the engine's thread only.
// Errors: EG(exception).
#pragma once

#include "coroutine.hpp"
#include "engine/function_wrappers.hpp"

namespace trueasync::php::engine {

// ExclusiveUse: records that a coroutine is inside a function that uses `key`.
//
// Lifetime: on the stack of that function. After a bailout the stack is lost; reset_exclusive_uses() drops the record.
class ExclusiveUse {
 public:
  // The key must have no user.
  void begin(const void* key, CoroutineObject& user) noexcept;
  void end() noexcept;
  // The coroutine that uses the key; null if there is none.
  static const CoroutineObject* of(const void* key) noexcept;
  // The coroutine ends. A use by one of its suspended fibers remains, without a user, and blocks no other coroutine.
  static void clear_owner(CoroutineObject& user) noexcept;

 private:
  const void* key_ = nullptr;
  CoroutineObject* user_ = nullptr;
  ExclusiveUse* next_ = nullptr;
};

// ExclusiveAccess: an ExclusiveUse that rejects other coroutines. A coroutine may enter the same connection
// recursively.
class ExclusiveAccess {
 public:
  // A null connection is not guarded. Returns false if another coroutine uses it; EG(exception) is then set.
  bool enter(const void* connection) noexcept;
  void leave() noexcept;

 private:
  ExclusiveUse use_;
  bool is_outermost_ = false;
};

// Calls the original with exclusive access to the connection; throws if another coroutine uses it. A null connection is
// not guarded. If a wait inside the original was interrupted, the interruption replaces an error the original made of
// it.
void call_exclusively(const void* connection, zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

// Releases the object when the current user of the key leaves. Takes over the caller's reference.
void release_when_unused(const void* key, zend_object* object) noexcept;

// Drops all records after a fatal error or at the end of the request.
void reset_exclusive_uses() noexcept;

// Selects frames of internal functions that use `key`.
using FramePredicate = bool (*)(const zend_execute_data& frame, const void* key) noexcept;
// A suspended coroutine other than the running one with a frame that matches; null if there is none.
const CoroutineObject* find_other_user(FramePredicate matches, const void* key) noexcept;

inline constexpr const char* kUseOneAtATime = "only one coroutine may use it at a time";
inline constexpr const char* kUseSeparateHandles = "use a separate one in each coroutine";
// Throws "function(): Object is in use by coroutine #N (location); hint" for the running function.
void throw_in_use(const CoroutineObject& other, const char* object, const char* hint = kUseOneAtATime) noexcept;

}  // namespace trueasync::php::engine
