// Async\Coroutine: the PHP object of a coroutine. spawn_coroutine() starts a PHP callable as a coroutine.
//
// Lifetime: the runtime holds one reference to the object from the spawn until the coroutine has finished. The object
// holds a handle of the coroutine.
// Thread safety: the engine's thread only.
#pragma once

#include <vector>

#include "engine/engine_state.hpp"
#include "support/object.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/task.hpp"

namespace trueasync::php {

namespace engine {
class TrackedIterator;
}

// ResultConsumer: the object that started a coroutine for its result, such as a future or a task group.
class ResultConsumer {
 public:
  // Whether the result can still be observed through the consumer.
  virtual bool wants_result() const noexcept = 0;

 protected:
  ~ResultConsumer() = default;
};

// CoroutineResource: a resource that a coroutine holds, such as a connection of a pool. The coroutine releases it after
// its PHP code has finished. The resources form a singly linked list, because a coroutine has few of them.
class CoroutineResource {
 public:
  explicit CoroutineResource(const void* resource_key) noexcept : key(resource_key) {}
  // Runs in the coroutine and may suspend. Must call CoroutineObject::disown().
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
  zend_fiber_context fiber_context{};  // the context that the engine's fibers switch from and back to
  zend_fcall_info call{};              // function_name, params and named params are owned until the coroutine starts
  zend_fcall_info_cache call_cache{};
  Value result;
  // Holds a reference to this object. Null: any other reference may be used to get the result.
  const ResultConsumer* consumer = nullptr;
  zend_object* exception = nullptr;     // the exception that ended the coroutine
  zend_object* cancellation = nullptr;  // the pending or delivered cancellation
  bool cancellation_delivered = false;
  // The exception that interrupted a blocking call. Not owned: valid only while that exception propagates.
  const zend_object* interruption = nullptr;
  Value context;  // created on demand, see context.hpp
  std::vector<Value> finally_handlers;
  CoroutineResource* resources = nullptr;
  unsigned exclusive_use_count = 0;  // connections and streams that it is using, see engine/exclusive_access.hpp
  engine::TrackedIterator* tracked_iterators = nullptr;

  ~CoroutineObject();
  void report(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  bool is_ready() noexcept override;
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool has_failed() noexcept override { return exception != nullptr; }
  void cancel_source() noexcept override { cancel(nullptr); }

  // Requests cancellation with `reason`, which may be null. Takes a reference to it.
  void cancel(zend_object* reason) noexcept;
  // Called by the scheduler for every cancellation request: stores cancel_reason. A cancellation that was already
  // delivered is cleared first.
  void before_cancel() noexcept;
  // Returns the cancellation to throw. The caller gets a reference.
  zend_object* deliver_cancellation() noexcept;

  void own(CoroutineResource& resource) noexcept;
  void disown(CoroutineResource& resource) noexcept;
  // Releases the resources after the PHP code has finished. Keeps EG(exception).
  void release_resources() noexcept;

  // For a coroutine that continues after its cancellation, such as main.
  void clear_cancellation() noexcept;

  detail::ControlBlock& block() const noexcept { return *detail::Access::block(handle); }

 private:
  // Whether the coroutine has failed and only this object refers to its control block, which also holds the error.
  bool is_sole_error_owner() const noexcept;
};

// The reason of the cancellation request in progress; null if no reason was given.
inline TRUEASYNC_PHP_LOCAL zend_object* cancel_reason = nullptr;

// SpawnSettings: the scope a coroutine is attached to (null: the spawner's) and its priority.
struct SpawnSettings {
  detail::CoroutineOwner* owner = nullptr;
  Priority priority = Priority::normal;
};

// Spawns the callable as a coroutine in the scope `settings.owner`. Copies the arguments of `call`. The caller gets a
// reference to the object. Null: EG(exception) is set.
CoroutineObject* spawn_coroutine(const SpawnSettings& settings, const zend_fcall_info& call,
                                 const zend_fcall_info_cache& cache);
// The same in two steps. Before the second step the coroutine exists but is not in the ready queue. If it is cancelled
// in between, it never starts.
CoroutineObject* prepare_coroutine(const SpawnSettings& settings, const zend_fcall_info& call,
                                   const zend_fcall_info_cache& cache);
void enqueue_coroutine(CoroutineObject& coroutine) noexcept;

inline zend_object* object_of(CoroutineObject& coroutine) noexcept {
  return Class<CoroutineObject>::object_of(coroutine);
}

void register_coroutine();

}  // namespace trueasync::php
