// Async\FutureState and Async\Future, based on the library's FutureState<Value>.
//
// One FutureStateObject per future holds the library's state and its value. Every Future refers to that object. So the
// collector sees a graph of PHP objects and gets each reference once. The producer of a future is the object that will
// settle it, such as a link of a chain or a signal.
//
// Thread safety: the engine's thread only.
// Errors: an error that is not observed before the last object is destroyed causes a warning, unless it is ignored.
#pragma once

#include <memory>

#include "coroutine.hpp"
#include "support/object.hpp"
#include "trueasync/sync/future.hpp"

namespace trueasync::php {

struct FutureStateObject;
class FutureLink;

// FutureProducer: the object that will settle a future. The future destroys it when it is settled or destroyed itself.
class FutureProducer {
 public:
  virtual ~FutureProducer() = default;
  // Called after the future was cancelled.
  virtual void cancel(zend_object* reason) noexcept = 0;
  virtual void report(GcBuffer& buffer) noexcept = 0;
};

// SettledBy: the origin of the outcome: PHP code with the FutureState, an event, or a channel (see channel_future.hpp).
enum class SettledBy : std::uint8_t { object, event, channel };

struct FutureStateObject {
  using State = detail::FutureState<Value>;

  FutureStateObject() noexcept { dispatch_.owner = this; }
  ~FutureStateObject();
  void report(GcBuffer& buffer) noexcept;
  // Reports the object's references to itself until it is settled. Called by the object that will settle it.
  void report_pending_references(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  // Whether another object than the producer can still observe the outcome.
  bool is_wanted() noexcept;
  bool is_pending() const noexcept { return state->phase() == detail::FuturePhase::pending; }
  // Settle a pending future. fail() takes over the reference to the error.
  void complete(Value value, SourceLocation location) noexcept;
  void fail(zend_object* error, SourceLocation location) noexcept;
  void cancel(zend_object* reason, SourceLocation location) noexcept;
  // For a settled future: copies the value, or returns a reference to the error, which is observed then.
  zend_object* take(zval* result) noexcept;

  // Starts `link` when the future is settled, or immediately if it is settled. A future that an event or a channel
  // settles stays alive until then.
  void add_link(std::unique_ptr<FutureLink> link) noexcept;

  Ref<State> state;
  std::unique_ptr<FutureProducer> producer;
  SettledBy settled_by = SettledBy::object;

 private:
  struct Dispatch final : detail::Continuation {
    void on_settled() noexcept override { owner->start_links(); }
    FutureStateObject* owner = nullptr;
  };
  void keep_alive_for_links() noexcept;
  void start_links() noexcept;
  void delete_links() noexcept;
  bool is_state_unshared() const noexcept;

  zend_object* error_ = nullptr;  // owned by the state's exception_ptr
  detail::IntrusiveList<FutureLink> links_;
  Dispatch dispatch_;
  bool keeps_itself_alive_ = false;  // until its links have started
  bool is_started_ = false;          // start() was called on the state for the links
};

struct FutureObject final : AwaitableSource {
  ~FutureObject();
  void report(GcBuffer& buffer) noexcept { buffer.add(state_object); }
  void on_destruct() noexcept;

  bool is_ready() noexcept override { return !state().is_pending(); }
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool has_failed() noexcept override { return state().state->phase() != detail::FuturePhase::value; }
  void cancel_source() noexcept override;

  FutureStateObject& state() const noexcept { return Class<FutureStateObject>::of(state_object); }

  zend_object* state_object = nullptr;
  bool is_used = false;  // awaited, chained, cancelled or ignored: no warning
};

// Creates a state object. The caller gets a reference. The runtime must have been started.
FutureStateObject& make_future_state(SourceLocation location);
// The same for a state that the library settles.
FutureStateObject& adopt_future_state(Ref<FutureStateObject::State> state, SettledBy by);
// Creates a Future and takes over the reference to the state object. The caller gets a reference to the Future.
zend_object* make_future(FutureStateObject& state);

inline zend_object* object_of(FutureStateObject& state) noexcept { return Class<FutureStateObject>::object_of(state); }

void register_future_state();
void register_future();

}  // namespace trueasync::php
