// Async\Coroutine, and how a PHP callable becomes a coroutine of the runtime.
//
// Lifetime: the runtime holds one reference to the object from the spawn until it has ended; the object holds a handle.
#pragma once

#include <vector>

#include "engine/engine_state.hpp"
#include "support/object.hpp"
#include "trueasync/coroutine.hpp"

namespace trueasync::php {

namespace engine {
class TrackedIterator;
}

// The one whom a coroutine works for.
class ResultConsumer {
 public:
  // False: nobody can ask for its result through this one any more.
  virtual bool wants_result() const noexcept = 0;

 protected:
  ~ResultConsumer() = default;
};

// What a coroutine has of something that others want, too, and gives back when its PHP code is over, in its own turn: it
// may wait then. A list, for few of them.
class CoroutineResource {
 public:
  explicit CoroutineResource(const void* of) noexcept : key(of) {}
  // Takes itself out of the coroutine's list.
  virtual void on_coroutine_end() noexcept = 0;

  const void* const key;
  CoroutineResource* next = nullptr;

 protected:
  ~CoroutineResource() = default;
};

struct CoroutineObject final : AwaitableSource {
  static constexpr bool kConstructible = false;

  Coroutine handle;
  engine::EngineState state;
  zend_fiber_context fiber_context{};  // what the engine's fibers switch from and back to
  zend_fcall_info call{};              // function_name, params and named params are owned until it has started
  zend_fcall_info_cache call_cache{};
  Value result;
  const ResultConsumer* reader = nullptr;  // has a reference to this; null: whoever has one may want the result
  zend_object* exception = nullptr;        // what it ended with
  zend_object* cancellation = nullptr;     // what it is, or is to be, cancelled with
  bool cancellation_delivered = false;
  const zend_object* interruption =
      nullptr;    // what ended a blocking call; on its way while it is in flight, never owned
  Value context;  // made on demand, see context.hpp
  std::vector<Value> finally_handlers;
  CoroutineResource* resources = nullptr;
  unsigned exclusive_use_count = 0;  // connections and streams that it is inside of, see engine/exclusive_access.hpp
  engine::TrackedIterator* tracked_iterators = nullptr;

  ~CoroutineObject();
  void report(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  bool is_ready() noexcept override;
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool has_failed() noexcept override { return exception != nullptr; }
  void cancel_source() noexcept override { cancel(nullptr); }

  // Asks it to end with `reason` (may be null; a reference is taken).
  void cancel(zend_object* reason) noexcept;
  // Somebody asks it to end, for cancel_reason: what has been thrown already is another matter.
  void before_cancel() noexcept;
  // For throwing it now: the caller gets a reference.
  zend_object* deliver_cancellation() noexcept;

  void own(CoroutineResource& belonging) noexcept;
  void disown(CoroutineResource& belonging) noexcept;
  // Its PHP code is over. An exception that is in flight stays.
  void release_resources() noexcept;

  // Main goes on after it was cancelled.
  void forget_cancellation() noexcept;

  detail::ControlBlock& block() const noexcept { return *detail::Access::block(handle); }

 private:
  // It has failed, and what holds the error besides this object is the runtime's record, which only this object has.
  bool is_sole_error_owner() const noexcept;
};

// Why coroutines are being cancelled, while somebody cancels them; null: no reason was given.
inline TRUEASYNC_PHP_LOCAL zend_object* cancel_reason = nullptr;

// SpawnSettings: the scope a coroutine is attached to (null: the spawner's) and its priority.
struct SpawnSettings {
  detail::CoroutineOwner* owner = nullptr;
  Priority priority = Priority::normal;
};

// Starts the callable as a coroutine. Arguments are copied out of `call`. The caller gets a reference to the object;
// null: EG(exception) is set. `settings.owner` decides the scope.
CoroutineObject* spawn_coroutine(const SpawnSettings& settings, const zend_fcall_info& call,
                                 const zend_fcall_info_cache& cache);
// The same in two steps; between them the coroutine is there, but does not run. One that was cancelled never begins.
CoroutineObject* prepare_coroutine(const SpawnSettings& settings, const zend_fcall_info& call,
                                   const zend_fcall_info_cache& cache);
void enqueue_coroutine(CoroutineObject& coroutine) noexcept;

inline zend_object* object_of(CoroutineObject& coroutine) noexcept {
  return Class<CoroutineObject>::object_of(coroutine);
}

void register_coroutine();

}  // namespace trueasync::php
